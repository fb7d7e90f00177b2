import { optionalText, repeated } from '../../base/flags/flag-types.js'
import { type Flag, UsageError } from '../../base/flags/flags.js'
import { fullImageName, isImageName } from '../../base/image-name.js'
import { Quantity } from '../../schema/values/quantity.js'

export function tagFlag(help: string): Flag<readonly string[]> {
  return { ...repeated(`${help} May be given several times.`, { placeholder: 'NAME' }), short: 't' }
}

export function outputFlag(): Flag<string | undefined> {
  return {
    ...optionalText('Write an archive instead of adding the image to the runtime. This needs no cluster.', {
      placeholder: 'FILE',
    }),
    short: 'o',
  }
}

/** A flag that takes a size such as `64Gi`, in bytes. */
export function sizeFlag(help: string, standard: number): Flag<number> {
  const read = (texts: readonly string[]) => (texts.length === 0 ? standard : sizeOf(texts.at(-1)!))
  return { help, placeholder: 'SIZE', defaultText: `${standard / 2 ** 30}Gi`, read }
}

function sizeOf(text: string): number {
  const size = quantityOf(text)
  if (!Number.isSafeInteger(size) || size <= 0) throw new UsageError('it must be a size, such as 500Mi or 64Gi')
  return size
}

function quantityOf(text: string): number {
  try {
    return Quantity.parse(text).toNumber()
  } catch {
    return Number.NaN // `sizeOf` rejects it
  }
}

/** Returns the names as container runtimes store them. */
export function fullNames(names: readonly string[]): string[] {
  return names.map((name) => {
    if (!isImageName(name) || name.includes('@'))
      throw new UsageError(`${name} cannot be the name of an image; write NAME:TAG`)
    return fullImageName(name)
  })
}
