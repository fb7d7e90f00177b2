import { hasReason } from '../../api/errors.js'
import type { ListOptions } from '../request-options.js'
import type { Page } from '../resource-client.js'

/** As upstream: the server need not put everything into one response. */
const pageSize = 500

export interface ListSnapshot<T> {
  readonly objects: readonly T[]
  readonly revision: number
}

/** Lists all objects at one revision. If that expires between two pages, it lists everything in one request. */
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
