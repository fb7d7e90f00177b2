import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'
import type { DescriptionPage } from './page.js'
import { sortedKeys, type TextMap } from './text.js'

type Described = Readonly<Pick<ObjectMeta, 'labels' | 'annotations'>>

/** Annotations that are not shown. */
const hidden = ['kubectl.kubernetes.io/last-applied-configuration']
const longestAnnotation = 140

export function labelsAndAnnotations(page: DescriptionPage, metadata: Described): void {
  labelLines(page, 'Labels', metadata.labels)
  annotationLines(page, 'Annotations', metadata.annotations)
}

export function labelLines(page: DescriptionPage, label: string, labels: TextMap | undefined, space = ''): void {
  page.lines(
    label,
    sortedKeys(labels).map((key) => `${key}=${labels![key]}`),
    space,
  )
}

/** Long and multi-line annotations are written below their names. */
export function annotationLines(page: DescriptionPage, label: string, annotations: TextMap | undefined): void {
  const keys = sortedKeys(annotations).filter((key) => !hidden.includes(key))
  page.lines(
    label,
    keys.flatMap((key) => {
      const value = annotations![key]!.replace(/\n$/, '')
      const isLong = byteLength(value) + byteLength(key) + 2 > longestAnnotation || value.includes('\n')
      if (!isLong) return [`${key}: ${value}`]
      return [`${key}:`, ...value.split('\n').map((line) => `  ${shortenedText(line, longestAnnotation - 2)}`)]
    }),
  )
}

/** Shortens a text to a length in bytes. */
export function shortenedText(text: string, length: number): string {
  const bytes = Buffer.from(text)
  return bytes.length > length ? `${bytes.subarray(0, length).toString()}...` : text
}

function byteLength(text: string): number {
  return Buffer.byteLength(text)
}

/** `ReplicaSet/web-5d4f8`; '' without a controller. */
export function controllerText({ ownerReferences = [] }: Pick<ObjectMeta, 'ownerReferences'>): string {
  const owner = ownerReferences.find(({ controller }) => controller)
  return owner ? `${owner.kind}/${owner.name}` : ''
}
