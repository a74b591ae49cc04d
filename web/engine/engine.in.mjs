// The engine for a page and for node: engine.d.ts has the types, README.md what each call does.
// pack.mjs puts the following in front of this text: createGlue (what Emscripten generated), and
// wasmText and dataText (base64 of what zlib deflated: the code, and the shipped data).

async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Inflated and compiled once for all engines of a page.
let parts;
function allParts() {
  parts ??= Promise.all([inflated(wasmText).then((code) => WebAssembly.compile(code)), inflated(dataText)]);
  return parts;
}

// The pack of data: the length of an index (4 bytes, little-endian), the index as JSON
// ([path, bytes] of each file), then the files one behind the other.
function unpack(fs, pack) {
  const length = new DataView(pack.buffer, pack.byteOffset).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(pack.subarray(4, 4 + length)));
  let at = 4 + length;
  for (const [path, bytes] of index) {
    fs.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    fs.writeFile(path, pack.slice(at, at + bytes), { canOwn: true });
    at += bytes;
  }
}

// What is written to one of the two streams: all of it, and line by line while it is written.
class Output {
  constructor() {
    this.begin(null);
  }
  begin(onLine) {
    this.text = "";
    this.line = "";
    this.onLine = onLine;
    this.decoder = new TextDecoder();
  }
  add(bytes) {
    this.take(this.decoder.decode(bytes, { stream: true }));
  }
  end() {
    this.take(this.decoder.decode());
    if (this.onLine && this.line !== "") this.onLine(this.line);
    this.line = "";
  }
  take(text) {
    this.text += text;
    if (!this.onLine) return;
    const lines = (this.line + text).split("\n");
    this.line = lines.pop();
    for (const line of lines) this.onLine(line);
  }
}

// Replaces a standard stream by a device that is no terminal.
function redirect(fs, descriptor, output) {
  const device = fs.makedev(64, descriptor);
  fs.registerDevice(device, {
    open() {},
    close() {},
    write(stream, buffer, offset, length) {
      output.add(buffer.slice(offset, offset + length));
      return length;
    },
  });
  const path = `/dev/output${descriptor}`;
  fs.mkdev(path, 0o666, device);
  fs.close(fs.streams[descriptor]);
  fs.open(path, "w");  // gets the lowest free descriptor, which is this one
}

class Engine {
  constructor(module) {
    this.module = module;
    this.fs = module.FS;
    this.isBroken = false;
    this.outputs = { stdout: new Output(), stderr: new Output() };
    redirect(this.fs, 1, this.outputs.stdout);
    redirect(this.fs, 2, this.outputs.stderr);
  }

  run(args, onOutput) {
    for (const [stream, output] of Object.entries(this.outputs)) {
      output.begin(onOutput ? (line) => onOutput(stream, line) : null);
    }
    const done = this.guarded(() => this.withText(JSON.stringify(args), this.module._pnsim_run));
    if (done.error) this.outputs.stderr.take(`pnsim: error: ${done.error}\n`);
    for (const output of Object.values(this.outputs)) output.end();
    return {
      code: done.error ? 70 : done.value,
      stdout: this.outputs.stdout.text,
      stderr: this.outputs.stderr.text,
    };
  }

  writeFile(path, data) {
    this.makeFolderOf(path);
    this.fs.writeFile(path, data);
  }
  appendFile(path, data) {
    this.makeFolderOf(path);
    const stream = this.fs.open(path, "a");
    try {
      this.fs.write(stream, data, 0, data.length);
    } finally {
      this.fs.close(stream);
    }
  }
  readFile(path) {
    return this.fs.readFile(path);
  }
  removeFile(path) {
    this.fs.unlink(path);
  }
  list(folder) {
    return this.fs.readdir(folder).filter((name) => name !== "." && name !== "..").sort();
  }

  explore(request) {
    return this.call("explore", request);
  }
  surface(request) {
    return this.call("surface", request);
  }
  surfaceRow(request) {
    return this.call("surfaceRow", request);
  }
  openNet(request) {
    return this.call("openNet", request);
  }
  step(game, options) {
    return this.call("step", { game, ...options });
  }
  back(game, steps) {
    return this.call("back", { game, steps });
  }
  closeNet(game) {
    return this.call("closeNet", { game });
  }

  memoryBytes() {
    return this.module.HEAPU8.length;
  }

  call(name, request) {
    const text = JSON.stringify({ call: name, request });
    const done = this.guarded(() =>
      this.module.UTF8ToString(this.withText(text, this.module._pnsim_call)),
    );
    return done.error ? { error: done.error } : JSON.parse(done.value);
  }

  // After a trap the memory may be in any state: this engine answers nothing more.
  guarded(action) {
    if (this.isBroken) return { error: "the engine was stopped by an earlier error; make a new one" };
    try {
      return { value: action() };
    } catch (error) {
      this.isBroken = true;
      return { error: `the engine stopped: ${error}` };
    }
  }

  withText(text, action) {
    const bytes = this.module.lengthBytesUTF8(text) + 1;
    const at = this.module._malloc(bytes);
    if (at === 0) throw new Error("out of memory");
    this.module.stringToUTF8(text, at, bytes);
    const result = action(at);
    this.module._free(at);
    return result;
  }

  makeFolderOf(path) {
    const slash = path.lastIndexOf("/");
    if (slash > 0) this.fs.mkdirTree(path.slice(0, slash));
  }
}

export async function createEngine(options = {}) {
  const [code, data] = await allParts();
  const stray = (stream) => (line) => options.onStrayOutput?.(stream, line);
  const module = await createGlue({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(code, imports).then((instance) => done(instance, code));
      return {};
    },
    locateFile: (name) => name, // the code is given, nothing is fetched
    stdin: () => null,
    print: stray("stdout"),
    printErr: stray("stderr"),
  });
  unpack(module.FS, data);
  module.FS.mkdirTree("/work");
  module.FS.chdir("/work");
  module._pnsim_begin();
  return new Engine(module);
}
