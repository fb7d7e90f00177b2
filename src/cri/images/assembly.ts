import { Buffer } from 'node:buffer'

/** How a processor writes a jump: its size, and its bytes once the distance from its own beginning is known. */
interface JumpForm {
  readonly size: number
  encode(distance: number): Uint8Array
}

interface Jump extends JumpForm {
  readonly at: number
  readonly label: string
}

/** Machine code in the making: instructions one after the other, places with names, and jumps to them. */
export class Assembly {
  readonly #parts: Uint8Array[] = []
  readonly #labels = new Map<string, number>()
  readonly #jumps: Jump[] = []
  #length = 0

  label(name: string): void {
    this.#labels.set(name, this.#length)
  }

  bytes(...bytes: readonly number[]): void {
    this.#add(Uint8Array.from(bytes))
  }

  /** A little-endian word of 32 bits: one instruction of an arm64. */
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
    const code = Buffer.concat(this.#parts)
    for (const { at, label, encode } of this.#jumps) {
      const target = this.#labels.get(label)
      if (target === undefined) throw new Error(`there is no label ${label} to jump to`)
      code.set(encode(target - at), at)
    }
    return code
  }

  #add(bytes: Uint8Array): void {
    this.#parts.push(bytes)
    this.#length += bytes.length
  }
}
