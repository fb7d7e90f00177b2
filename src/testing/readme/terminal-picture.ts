const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** The lines of a picture of a terminal: each is a `text` of its own, coloured in parts. Empty ones do not count. */
export function shownLines(svg: string): string[] {
  return [...svg.matchAll(/<text\b[^>]*>(.*?)<\/text>/gs)]
    .map((match) => match[1]!.replace(/<[^>]*>/g, '').replace(/&\w+;/g, (name) => entities[name] ?? name))
    .filter((line) => line.trim() !== '')
}
