interface FileFlags {
  readonly filename: readonly string[]
  readonly kustomize: string
}

/** Throws unless files were named, in one of the two ways. */
export function requireFiles({ flags }: { readonly flags: FileFlags }): void {
  if (flags.filename.length > 0 && flags.kustomize !== '') throw new Error('only one of -f or -k can be specified')
  if (flags.filename.length === 0 && flags.kustomize === '') throw new Error('must specify one of -f and -k')
}
