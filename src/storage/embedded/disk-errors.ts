import { UnavailableError } from '../errors.js'
export function diskErrors(_directory: string) {
  return async (error: unknown, _bytes: number): Promise<Error> => new UnavailableError('failed', { cause: error })
}
