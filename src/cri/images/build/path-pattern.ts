/**
 * The pattern of a path, as Go's `filepath.Match` and Docker have it: `*` and `?` stand for characters other than `/`, `[a-z]` and `[^a]`
 * for one of a set, `**` for any number of directories, and a backslash takes the meaning from the next character.
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

/** Whether a path is to be taken as a pattern. */
export function isPattern(path: string): boolean {
  return /[*?[\\]/.test(path)
}

/** How many characters the first element has, and the regular expression for it. */
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
