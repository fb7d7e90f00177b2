import { VisibleCollection } from '../cache/visible-collection.js'
import type { ResourceMap } from '../registry/resource-map.js'
import { removeFailed } from '../verbs/initialization.js'
import type { VerbDependencies } from '../verbs/verb-scope.js'
import type { Chore } from './upkeep.js'

/** Objects whose initialization failed while a server was ending, and which nobody has taken away yet. */
export function failedInitializations(resources: ResourceMap, { store, scheme }: VerbDependencies): readonly Chore[] {
  if (!scheme.gates.has('Initializers')) return []
  return [{ name: 'failed initializations', every: 10_000, run: () => removeAllFailed(resources, store) }]
}

async function removeAllFailed(resources: ResourceMap, store: VerbDependencies['store']): Promise<void> {
  for (const resource of resources) {
    if (!(resource.objects instanceof VisibleCollection)) continue
    for (const key of [...resource.objects.hidden]) {
      const kept = resource.allObjects.get(key)
      if (kept) await removeFailed({ resource, store }, kept)
    }
  }
}
