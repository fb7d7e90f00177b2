/** `registry.example.com:5000/team/web:1.2@sha256:…`: what may be called an image. */
const domainPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const domain = `(?:${domainPart}(?:\\.${domainPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`
const pathPart = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}'
const reference = new RegExp(`^(?:${domain}/)?(${pathPart}(?:/${pathPart})*)(?::\\w[\\w.-]{0,127})?(?:@${digest})?$`)

export function isImageReference(image: string): boolean {
  return reference.test(image)
}

/** A name for what runs an image: the last part of its path, as an object can be called. */
export function nameFromImage(image: string): string {
  const [, path = ''] = reference.exec(image) ?? []
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')
}
