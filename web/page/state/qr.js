// Encodes text as a QR code: byte mode, the lowest error correction level, and the smallest version that fits.

/** Error correction bytes per block, and number of blocks, by version (level L). */
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25];

/** Total number of bytes in a version, error correction included. @param {number} version */
function room(version) {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const marks = Math.floor(version / 7) + 2;
    modules -= (25 * marks - 10) * marks - 55;
    if (version >= 7) modules -= 36;
  }
  return Math.floor(modules / 8);
}

/** @param {number} version */
const dataBytes = (version) => room(version) - (CORRECTION[version - 1] ?? 0) * (BLOCKS[version - 1] ?? 0);

/** The product in the field with 256 elements. @param {number} x @param {number} y */
function times(x, y) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    if ((y >>> bit) & 1) product ^= x;
  }
  return product;
}

/** @param {number} degree */
function divisor(degree) {
  const result = Array(degree).fill(0);
  result[degree - 1] = 1;
  let root = 1;
  for (let step = 0; step < degree; step++) {
    for (let at = 0; at < degree; at++) result[at] = times(result[at], root) ^ (result[at + 1] ?? 0);
    root = times(root, 2);
  }
  return result;
}

/** @param {number[]} data @param {number[]} by */
function remainder(data, by) {
  const result = Array(by.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ result.shift();
    result.push(0);
    for (const [at, part] of by.entries()) result[at] ^= times(part, factor);
  }
  return result;
}

/** The data and error correction bytes of all blocks, interleaved. @param {number[]} data @param {number} version */
function interleaved(data, version) {
  const [blocks, by] = [BLOCKS[version - 1] ?? 1, divisor(CORRECTION[version - 1] ?? 7)];
  // The last blocks may be one byte longer.
  const parts = Array.from({ length: blocks }, (_, at) => data.slice(starts(at), starts(at + 1)));
  const inTurn = (/** @type {number[][]} */ rows) => (rows.at(-1) ?? []).flatMap((_, at) => rows.flatMap((row) => row[at] ?? []));
  return [...inTurn(parts), ...inTurn(parts.map((part) => remainder(part, by)))];

  /** The index at which a block's data begin. @param {number} block */
  function starts(block) {
    const short = Math.floor(data.length / blocks);
    return block * short + Math.max(0, block - (blocks - (data.length % blocks)));
  }
}

/** The coordinates of the alignment patterns. @param {number} version @param {number} size */
function marks(version, size) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const places = [6];
  for (let at = size - 7; places.length < count; at -= step) places.splice(1, 0, at);
  return places;
}

/** A number, followed by the remainder of its division by a polynomial of this degree. @param {number} data @param {number} degree @param {number} by */
function withRest(data, degree, by) {
  let rest = data;
  for (let at = 0; at < degree; at++) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * by);
  return (data << degree) | rest;
}

/** Modules at which a mask is 0 are inverted. @type {((x: number, y: number) => number)[]} */
const MASKS = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

class Code {
  /** @param {number} version */
  constructor(version) {
    this.size = 17 + 4 * version;
    const rows = () => Array.from({ length: this.size }, () => /** @type {boolean[]} */ (Array(this.size).fill(false)));
    this.dark = rows();
    /** Modules that do not contain data. */
    this.taken = rows();
    for (let at = 0; at < this.size; at++) {
      this.set(6, at, at % 2 === 0);
      this.set(at, 6, at % 2 === 0);
    }
    const places = marks(version, this.size);
    const isCorner = (/** @type {number} */ x, /** @type {number} */ y) => Math.min(x, y) === 6 && (x === y || Math.max(x, y) === this.size - 7);
    for (const x of places) for (const y of places) if (!isCorner(x, y)) this.square(x, y, 2, [1]);
    for (const [x = 0, y = 0] of [[3, 3], [this.size - 4, 3], [3, this.size - 4]]) this.square(x, y, 4, [2, 4]);
    this.format(0);
    if (version >= 7) this.number(version);
  }

  /** @param {number} x @param {number} y @param {boolean} isDark */
  set(x, y, isDark) {
    const [dark, taken] = [this.dark[y], this.taken[y]];
    if (!dark || !taken || x < 0 || x >= this.size) return;
    dark[x] = isDark;
    taken[x] = true;
  }

  /** Draws square rings around a point, some of them light. @param {number} x @param {number} y @param {number} reach @param {number[]} light */
  square(x, y, reach, light) {
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) this.set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  }

  /** @param {number} mask */
  format(mask) {
    // 1 is level L.
    const bits = withRest((1 << 3) | mask, 10, 0x537) ^ 0x5412;
    for (let at = 0; at < 15; at++) {
      const isDark = ((bits >>> at) & 1) === 1;
      // Two copies: around the top left corner, skipping the timing pattern, and split between the other two corners.
      if (at < 8) this.set(8, at < 6 ? at : at + 1, isDark);
      else this.set(at === 8 ? 7 : 14 - at, 8, isDark);
      if (at < 8) this.set(this.size - 1 - at, 8, isDark);
      else this.set(8, this.size - 15 + at, isDark);
    }
    this.set(8, this.size - 8, true);
  }

  /** @param {number} version */
  number(version) {
    const bits = withRest(version, 12, 0x1f25);
    for (let at = 0; at < 18; at++) {
      const isDark = ((bits >>> at) & 1) === 1;
      const [x, y] = [this.size - 11 + (at % 3), Math.floor(at / 3)];
      this.set(x, y, isDark);
      this.set(y, x, isDark);
    }
  }

  /** @param {number[]} bytes */
  fill(bytes) {
    let bit = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step++) {
        for (const x of [right, right - 1]) {
          const y = ((right + 1) & 2) === 0 ? this.size - 1 - step : step;
          const row = this.dark[y];
          if (!row || this.taken[y]?.[x] || bit >= bytes.length * 8) continue;
          row[x] = (((bytes[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1;
          bit++;
        }
      }
    }
  }

  /** Applies a mask, or removes it again. @param {number} number */
  mask(number) {
    const mask = MASKS[number];
    for (const [y, row] of this.dark.entries()) for (let x = 0; x < this.size; x++) if (!this.taken[y]?.[x] && mask?.(x, y) === 0) row[x] = !row[x];
  }

  /** The mask's penalty score: the higher, the harder to scan. */
  get penalty() {
    const lines = [...this.dark, ...this.dark.map((_, x) => this.dark.map((row) => row[x] ?? false))].map((line) => line.map((dark) => (dark ? '1' : '0')).join(''));
    let sum = 0;
    for (const line of lines) {
      for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
      for (const finder of ['10111010000', '00001011101']) for (let at = line.indexOf(finder); at >= 0; at = line.indexOf(finder, at + 1)) sum += 40;
    }
    for (let y = 1; y < this.size; y++) {
      for (let x = 1; x < this.size; x++) {
        const one = this.dark[y]?.[x];
        if (one === this.dark[y]?.[x - 1] && one === this.dark[y - 1]?.[x] && one === this.dark[y - 1]?.[x - 1]) sum += 3;
      }
    }
    const dark = this.dark.flat().filter(Boolean).length;
    return sum + 10 * Math.floor(Math.abs((20 * dark) / (this.size * this.size) - 10));
  }
}

/** Rows of dark and light modules; null if the text is too long. @param {string} text @returns {boolean[][] | null} */
export function qr(text) {
  const bytes = [...new TextEncoder().encode(text)];
  let version = 1;
  const header = () => 4 + (version < 10 ? 8 : 16);
  while (version <= 40 && dataBytes(version) * 8 < header() + bytes.length * 8) version++;
  if (version > 40) return null;
  let bits = `0100${bytes.length.toString(2).padStart(header() - 4, '0')}${bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')}`;
  const all = dataBytes(version) * 8;
  bits += '0'.repeat(Math.min(4, all - bits.length));
  bits += '0'.repeat((8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < all; pad ^= 0xec ^ 0x11) bits += pad.toString(2).padStart(8, '0');
  const data = (bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2));
  const code = new Code(version);
  code.fill(interleaved(data, version));
  const penalties = MASKS.map((_, mask) => {
    code.mask(mask);
    code.format(mask);
    const { penalty } = code;
    code.mask(mask);
    return penalty;
  });
  const best = penalties.indexOf(Math.min(...penalties));
  code.mask(best);
  code.format(best);
  return code.dark;
}
