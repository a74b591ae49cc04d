// Files in the engine's file system. They are streamed in chunks, so that a page of 135 MB is never
// in the page's own memory, and written again after the engine was replaced.

import type { DroppedFile } from "./context";
import { Cancelled, type Engine } from "./engine_client";
import { sizeText } from "./files";

const largest_bytes = 256 * 1024 * 1024; // what the command reads of one file

export class Uploads {
  private readonly files = new Map<string, DroppedFile>();
  private engines = 0; // how often the engine was replaced
  constructor(private readonly engine: Engine) {}

  async add(file: DroppedFile, path: string, onProgress?: (done_bytes: number) => void): Promise<void> {
    if (file.bytes > largest_bytes) {
      throw new Error(`${file.name} has ${sizeText(file.bytes)}; the engine reads files of up to ` +
        `${sizeText(largest_bytes)}. Export fewer launches: ncu --import report.ncu-rep --launch-count 100 ...`);
    }
    await this.write(file, path, onProgress);
    this.files.set(path, file);
  }

  async repeat(): Promise<void> {
    ++this.engines;
    try {
      for (const [path, file] of this.files) await this.write(file, path);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error; // cancelled again: the next call writes them
    }
  }

  private async write(file: DroppedFile, path: string, onProgress?: (done_bytes: number) => void): Promise<void> {
    const engine = this.engines;
    await this.engine.writeFile(path, new Uint8Array());
    const reader = file.stream().getReader();
    let done_bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (engine !== this.engines) {
        // The user cancelled while the file was read: the new engine does not have its beginning.
        await reader.cancel();
        throw new Cancelled();
      }
      if (done) return;
      await this.engine.appendFile(path, value);
      done_bytes += value.length;
      onProgress?.(done_bytes);
    }
  }
}
