/** The keys that Ctrl combines with, from code 27 on. */
const signs = '[\\]^_'

/** Converts `ctrl-p,ctrl-q` into the bytes that a terminal sends. */
export function parseDetachKeys(given: string): readonly number[] {
  return given.split(',').map((key) => {
    const code = key.length === 1 ? key.charCodeAt(0) : controlCode(key)
    if (code === undefined) throw new Error(`could not bind detach keys: Unknown character: '${key}'`)
    return code
  })
}

function controlCode(key: string): number | undefined {
  const letter = /^ctrl-([a-z@[\\\]^_])$/.exec(key)?.[1]
  if (letter === undefined) return undefined
  if (letter === '@') return 0
  return signs.includes(letter) ? 27 + signs.indexOf(letter) : letter.charCodeAt(0) - 96
}

/** Yields the input until the detach keys are pressed. Holds back a partial match until it is clear that it is none. */
export async function* untilDetached(
  input: AsyncIterable<Uint8Array>,
  keys: readonly number[],
): AsyncGenerator<Uint8Array> {
  const held = { count: 0 }
  for await (const chunk of input) {
    const typed = passed(chunk, keys, held)
    if (typed.length > 0) yield typed
    if (held.count === keys.length) return
  }
  if (held.count > 0) yield Uint8Array.from(keys.slice(0, held.count))
}

/** Returns the bytes to pass on. `held` counts the keys that are matched at the end of the chunk. */
function passed(chunk: Uint8Array, keys: readonly number[], held: { count: number }): Uint8Array {
  const typed: number[] = []
  for (const byte of chunk) {
    if (held.count === keys.length) break
    if (byte !== keys[held.count]) typed.push(...keys.slice(0, held.count))
    if (byte !== keys[held.count]) held.count = 0
    if (byte === keys[held.count]) held.count++
    else typed.push(byte)
  }
  return Uint8Array.from(typed)
}
