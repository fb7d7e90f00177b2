/** The lines that a document tells people to type: those in its fenced blocks of shell, in order, each as it stands there. */
export function shellLines(document: string): string[] {
  return shellBlocks(document).flat()
}

/** The same, block by block. */
export function shellBlocks(document: string): string[][] {
  const blocks = [...document.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]!)
  return blocks.map((block) => block.split('\n').filter((line) => line.trim() !== ''))
}

/** What a line says, without the remark at its end. */
export function withoutRemark(line: string): string {
  return line.replace(/\s+# .*$/, '')
}

export interface Named {
  readonly path: string
  /** A function, class or constant in it. */
  readonly symbol: string | undefined
}

/** What a document names of this repository, as `src/file.ts#symbol` or by a link; `folder` is where it lies itself. */
export function namedFiles(document: string, folder = ''): Named[] {
  const quoted = document.matchAll(/`((?:src|docs|tools|bench|examples)\/[^`\s#*<…]*)(?:#(\w+))?`/g)
  const linked = document.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)
  return [
    ...[...quoted].map(([, path = '', symbol]) => ({ path, symbol })),
    ...[...linked].map(([, path]) => ({ path: `${folder}${path}`, symbol: undefined })),
  ]
}

export interface Chapter {
  readonly title: string
  /** The files where the programs of this chapter start. A section has those of its chapter, unless it names its own. */
  readonly entries: readonly string[]
  readonly text: string
}

/** The chapters (`##`) and sections (`###`) of a document, with the entry points in the comment below their titles. */
export function chapters(document: string): Chapter[] {
  const found: Chapter[] = []
  let ofChapter: readonly string[] = []
  for (const part of document.split(/^(?=##)/m).slice(1)) {
    const [, hashes = '', title = ''] = /^(##+) (.*)$/m.exec(part) ?? []
    const own = /<!-- starts at ([^>]*) -->/.exec(part)?.[1]?.split(/,\s*/)
    const entries = own ?? (hashes === '##' ? [] : ofChapter)
    if (hashes === '##') ofChapter = entries
    found.push({ title, entries, text: part })
  }
  return found
}
