/**
 * Compiles a path pattern with the rules of Go's `filepath.Match` and Docker: `*` and `?` match characters other than `/`, `[a-z]` and
 * `[^a]` match one character of a set, `**` matches any number of directories, and a backslash escapes the next character.
 */
export function pathPattern(pattern: string): RegExp {
  let source = ''
  for (let at = 0; at < pattern.length; ) {
    const [matched, part] = nextPart(pattern.slice(at))
    source += part
    at += matched
  }
  return new RegExp(`^${source}$`, 's')
}

/** Whether a path contains pattern characters. */
export function isPattern(path: string): boolean {
  return /[*?[\\]/.test(path)
}

/** Returns the length of the first element, and its regular expression. */
function nextPart(rest: string): [length: number, source: string] {
  if (rest.startsWith('**/')) return [3, '(?:.*/)?']
  if (rest.startsWith('**')) return [2, '.*']
  if (rest[0] === '*') return [1, '[^/]*']
  if (rest[0] === '?') return [1, '[^/]']
  if (rest[0] === '\\' && rest.length > 1) return [2, quoted(rest[1]!)]
  const set = /^\[(\^?)((?:\\.|[^\]\\])+)\]/s.exec(rest)
  if (set) return [set[0].length, `[${set[1]}${set[2]!.replace(/\[/g, '\\[')}]`]
  return [1, quoted(rest[0]!)]
}

function quoted(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')
}
