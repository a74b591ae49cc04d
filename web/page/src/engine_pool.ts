// Engines in workers of their own, for work that is split into many independent calls. The engine of
// the views stays free meanwhile. They start when they are first asked for, and have no uploaded
// files.

import { type Engine, EngineClient, engineOf } from "./engine_client";

const most = 4; // each takes some 20 MB

export class EnginePool {
  private readonly clients: EngineClient[] = [];
  private engines: Engine[] = [];

  constructor(private readonly code: string, private readonly onBusy: (busy: boolean) => void) {}

  // One for each core of the machine, at most four.
  all(): Engine[] {
    const count = Math.min(Math.max(navigator.hardwareConcurrency || 1, 1), most);
    while (this.clients.length < count) this.clients.push(new EngineClient(this.code, this.onBusy));
    if (this.engines.length < count) this.engines = this.clients.map(engineOf);
    return this.engines;
  }

  // Ends what they compute, as EngineClient.restart does.
  async restart(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.restart()));
  }
}
