import { hasReason } from '../../api/errors.js'
import type { ListOptions } from '../request-options.js'
import type { Page } from '../resource-client.js'

/** Upstream's: a server that holds much need not put all of it into one answer. */
const pageSize = 500

export interface ListSnapshot<T> {
  readonly objects: readonly T[]
  readonly revision: number
}

/** Everything that there is at one revision. If that is forgotten between two pages, the rest is asked for all at once. */
export async function listAllPages<T>(list: (options: ListOptions) => Promise<Page<T>>): Promise<ListSnapshot<T>> {
  const objects: T[] = []
  try {
    let page = await list({ limit: pageSize })
    objects.push(...page.items)
    while (page.continue !== undefined) {
      page = await list({ limit: pageSize, continue: page.continue })
      objects.push(...page.items)
    }
    return { objects, revision: Number(page.resourceVersion) }
  } catch (error) {
    if (!hasReason(error, 'Expired') || objects.length === 0) throw error
    const { items, resourceVersion } = await list({})
    return { objects: items, revision: Number(resourceVersion) }
  }
}
