/** The lines that a document tells people to type: those in its fenced blocks of shell, in order, each as it stands there. */
export function shellLines(document: string): string[] {
  const blocks = [...document.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]!)
  return blocks.flatMap((block) => block.split('\n')).filter((line) => line.trim() !== '')
}

/** What a line says, without the remark at its end. */
export function withoutRemark(line: string): string {
  return line.replace(/\s+# .*$/, '')
}

/** Files of this repository that a document names between backticks or links to; `folder` is where it lies itself. */
export function namedFiles(document: string, folder = ''): string[] {
  const quoted = [...document.matchAll(/`((?:src|docs|tools|bench|examples)\/[^`\s]*)`/g)].map((match) => match[1]!)
  const linked = [...document.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => `${folder}${match[1]}`)
  return [...new Set([...quoted, ...linked])]
}
