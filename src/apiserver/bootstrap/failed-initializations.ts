import { VisibleCollection } from '../cache/visible-collection.js'
import type { ResourceMap } from '../registry/resource-map.js'
import { removeFailed } from '../verbs/initialization.js'
import type { VerbDependencies } from '../verbs/verb-scope.js'
import type { PeriodicTask } from './periodic-tasks.js'

/** Returns the task that deletes objects whose initialization failed while a server stopped. */
export function failedInitializations(
  resources: ResourceMap,
  { store, scheme }: VerbDependencies,
): readonly PeriodicTask[] {
  if (!scheme.gates.has('Initializers')) return []
  return [{ name: 'failed initializations', every: 10_000, run: () => removeAllFailed(resources, store) }]
}

async function removeAllFailed(resources: ResourceMap, store: VerbDependencies['store']): Promise<void> {
  for (const resource of resources) {
    if (!(resource.objects instanceof VisibleCollection)) continue
    for (const key of [...resource.objects.hidden]) {
      const failed = resource.allObjects.get(key)
      if (failed) await removeFailed({ resource, store }, failed)
    }
  }
}
