// DetentCore as WebAssembly. Inputs and effects are bytes: the inputs are those of `ScriptImage`,
// the effects those of `EffectBytes`, both in Tests/Embedded/Shared.

const recordLength = 19; // bytes of an effect: its moment, a tag, and three numbers
const lookLength = 14; // words of a control's state
const restOfStart = 5; // the tag of the second half of a `start`
const never = 0xFFFF_FFFF_FFFF_FFFFn;

export const unknown = -0x8000_0000;

const tags = {
  tick: 0, start: 1, edge: 2, reading: 3, intent: 7, fire: 8, actionStarted: 9,
  actionFinished: 10, answered: 12, resync: 16, lampTest: 17, outputWritten: 18,
};

// The inputs of one moment, as bytes.
class Input {
  bytes = [];

  number(value) {
    let rest = BigInt(value);
    while (rest > 0x7Fn) {
      this.bytes.push(Number(rest & 0x7Fn) | 0x80);
      rest >>= 7n;
    }
    this.bytes.push(Number(rest));
    return this;
  }

  signed(value) {
    const wide = BigInt(value);
    return this.number(wide < 0n ? -2n * wide - 1n : 2n * wide);
  }
}

export class Core {
  #wasm;
  #log = [];

  // `module` holds the bytes of the core, `image` those of a compiled panel.
  constructor(module, image) {
    const put = (byte) => this.#log.push(byte);
    const instance = new WebAssembly.Instance(new WebAssembly.Module(module), { env: { put } });
    this.#wasm = instance.exports;
    this.#write(image);
    if (!this.#wasm.detent_open(image.length)) throw new Error("the core refuses the panel");
  }

  // The moment at which it has to be called although nothing happens; null for never.
  get deadline() {
    const at = BigInt.asUintN(64, this.#wasm.detent_deadline());
    return at === never ? null : Number(at);
  }

  // Gives an event to the core; returns its effects in their order.
  handle(at, name, ...fields) {
    const input = new Input().signed(Math.round(at));
    input.bytes.push(tags[name]);
    for (const field of fields) {
      if (typeof field === "object") input.signed(field.value);
      else input.number(Number(field));
    }
    this.#log = [];
    this.#write(input.bytes);
    if (!this.#wasm.detent_handle(input.bytes.length)) throw new Error(`the core refuses ${name}`);
    return this.#effects();
  }

  // The state of a control.
  look(control) {
    if (!this.#wasm.detent_look(control)) return null;
    const memory = new Int32Array(this.#wasm.memory.buffer, this.#inbox, lookLength);
    const [desired, actual, position, closed, phase, flags, pattern, isLit, lamps, outputs, lost,
      staged, focus, progress] = memory;
    return {
      desired, actual, position, closed, phase, flags, pattern, isLit: isLit !== 0, lamps, outputs,
      lost, staged, focus, progress,
    };
  }

  get #inbox() {
    return this.#wasm.detent_inbox();
  }

  #write(bytes) {
    new Uint8Array(this.#wasm.memory.buffer, this.#inbox, bytes.length).set(bytes);
  }

  #effects() {
    const view = new DataView(new Uint8Array(this.#log).buffer);
    const effects = [];
    let place = 0;
    const fields = () => {
      const [tag, whose] = [view.getUint8(place), view.getUint16(place + 1, true)];
      const numbers = [view.getInt32(place + 3, true), view.getInt32(place + 7, true)];
      place += 11;
      return { tag, whose, numbers };
    };
    while (place + recordLength <= view.byteLength) {
      const at = Number(view.getBigUint64(place, true));
      place += 8;
      const effect = { at, ...fields() };
      if (effect.tag === restOfStart - 1) effect.rest = fields();
      effects.push(effect);
    }
    return effects;
  }
}
