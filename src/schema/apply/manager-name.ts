/** As long as a manager's name may be, in bytes of UTF-8. */
const maximumBytes = 128

const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u

/** Under which name a request owns fields: the one it gives, or the first part of its user agent (`kubectl/v1.36` is `kubectl`). */
export function managerName(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager) return fieldManager
  if (userAgent !== lastAgent) {
    lastName = nameOfAgent(userAgent)
    lastAgent = userAgent
  }
  return lastName
}

/** One client mostly writes more than once. */
let lastAgent = ''
let lastName = ''

function nameOfAgent(userAgent: string): string {
  let name = ''
  for (const character of userAgent.split('/', 1)[0]!) {
    if (!printable.test(character)) continue
    if (Buffer.byteLength(name + character) > maximumBytes) break
    name += character
  }
  return name
}
