import type { CriImage } from '../../cri/interface/image.js'
import { TabWriter } from '../../kubectl/printers/tab-writer.js'

type ListedImage = Pick<CriImage, 'id' | 'repoTags' | 'repoDigests' | 'size'>

const shortId = 12

/** Formats one line for each name of an image, and a line with `<none>` for an image without a name. */
export function imageTable(images: readonly ListedImage[]): string {
  const writer = new TabWriter()
  writer.line(['REPOSITORY', 'TAG', 'IMAGE ID', 'SIZE'])
  for (const row of images.flatMap(rowsOf).sort(byName)) writer.line(row)
  return writer.flush()
}

export function imageJson(images: readonly ListedImage[]): string {
  const list = images.map(({ id, repoTags, repoDigests, size }) => ({ id, tags: repoTags, digests: repoDigests, size }))
  return `${JSON.stringify(list, null, 2)}\n`
}

function rowsOf({ id, repoTags, repoDigests, size }: ListedImage): string[][] {
  const end = [id.replace(/^sha256:/, '').slice(0, shortId), formatSize(size)]
  const [digest] = repoDigests
  if (repoTags.length === 0) return [[digest?.split('@')[0] ?? '<none>', '<none>', ...end]]
  return repoTags.map((tag) => {
    const colon = tag.lastIndexOf(':')
    return [tag.slice(0, colon), tag.slice(colon + 1), ...end]
  })
}

function byName(left: readonly string[], right: readonly string[]): number {
  const [a, b] = [left, right].map((row) => `${row[0]}\0${row[1]}`) as [string, string]
  return a < b ? -1 : a > b ? 1 : 0
}

/** Formats a size as docker and crictl do: three digits, and units of a thousand. */
export function formatSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let [size, unit] = [bytes, 0]
  while (size >= 999.5 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1]
  return `${Number(size.toPrecision(3))}${units[unit]}`
}
