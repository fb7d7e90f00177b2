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
