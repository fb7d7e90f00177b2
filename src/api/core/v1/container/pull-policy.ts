import { parseImageName } from '../../../../base/image-name.js'

/** `Always` for the tag `latest`, whose content may change, otherwise `IfNotPresent`. */
export function defaultPullPolicy(image = ''): 'Always' | 'IfNotPresent' {
  return couldBeLatest(image) && parseImageName(image)?.tag === 'latest' ? 'Always' : 'IfNotPresent'
}

/** Excludes nearly all images without parsing: those with another tag or a digest. */
function couldBeLatest(image: string): boolean {
  const last = image.slice(image.lastIndexOf('/') + 1)
  return last.includes(':latest') || !(last.includes(':') || last.includes('@'))
}
