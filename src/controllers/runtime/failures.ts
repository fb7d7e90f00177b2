import { hasReason } from '../../api/errors.js'

/** Undefined where the object does not exist. */
export async function unlessNotFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
