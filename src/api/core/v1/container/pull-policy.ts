import { parseImageName } from '../../../../base/image-name.js'

/** Images whose content may change under the same name are pulled each time. */
export function defaultPullPolicy(image = ''): 'Always' | 'IfNotPresent' {
  return couldBeLatest(image) && parseImageName(image)?.tag === 'latest' ? 'Always' : 'IfNotPresent'
}

/** Rules out nearly all images without parsing: those with another tag or with a digest. */
function couldBeLatest(image: string): boolean {
  const last = image.slice(image.lastIndexOf('/') + 1)
  return last.includes(':latest') || !(last.includes(':') || last.includes('@'))
}
