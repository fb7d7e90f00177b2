import { Buffer } from 'node:buffer'

/** The encoding of a jump. `distance` is relative to the start of the jump instruction. */
interface JumpForm {
  readonly size: number
  encode(distance: number): Uint8Array
}

interface Jump extends JumpForm {
  readonly at: number
  readonly label: string
}

/** Assembles machine code: instructions, labels, and jumps to labels. */
export class Assembly {
  readonly #chunks: Uint8Array[] = []
  readonly #labels = new Map<string, number>()
  readonly #jumps: Jump[] = []
  #length = 0

  label(name: string): void {
    this.#labels.set(name, this.#length)
  }

  bytes(...bytes: readonly number[]): void {
    this.#add(Uint8Array.from(bytes))
  }

  /** A little-endian 32-bit word: one arm64 instruction. */
  word(value: number): void {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value >>> 0)
    this.#add(bytes)
  }

  jump(label: string, form: JumpForm): void {
    this.#jumps.push({ ...form, at: this.#length, label })
    this.#add(new Uint8Array(form.size))
  }

  finish(): Buffer {
    const code = Buffer.concat(this.#chunks)
    for (const { at, label, encode } of this.#jumps) {
      const target = this.#labels.get(label)
      if (target === undefined) throw new Error(`unknown label ${label}`)
      code.set(encode(target - at), at)
    }
    return code
  }

  #add(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#length += bytes.length
  }
}
