/** The second keys of those that are pressed together with Ctrl, from code 27 on. */
const signs = '[\\]^_'

/** `ctrl-p,ctrl-q` as what a terminal sends for it. */
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

/** What is typed, until these keys are pressed one after the other. The first of them are held back until it is clear that they are not. */
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

/** What goes on of a piece; how many of the keys have been pressed by its end stands in `held`. */
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
