/**
 * npm run bench [part…]: prints one line for each figure. Parts: client, schema, cri, rules, admission, storage, pipeline, gate, webhooks, flood, apiserver,
 * scheduler, controllers, node, testing, kubectl.
 */

import { accessCheckFigures } from './apiserver/access-checks.js'
import { admissionFigures } from './apiserver/admission.js'
import { apiServerFigures } from './apiserver/apiserver.js'
import { floodFigures } from './apiserver/flood.js'
import { pipelineFigures } from './apiserver/pipeline.js'
import { strategyFigures } from './apiserver/strategies.js'
import { webhookFigures } from './apiserver/webhooks.js'
import { clientFigures } from './client.js'
import { controllerFigures } from './controllers.js'
import { criFigures } from './cri.js'
import type { Figure } from './figure.js'
import { kubectlFigures } from './kubectl.js'
import { nodeFigures } from './node.js'
import { schedulerFigures } from './scheduler.js'
import { schemaFigures } from './schema.js'
import { storageFigures } from './storage.js'
import { testingFigures } from './testing.js'

const parts: Readonly<Record<string, (report: (figure: Figure) => void) => Promise<void>>> = {
  client: clientFigures,
  schema: schemaFigures,
  cri: criFigures,
  rules: strategyFigures,
  admission: admissionFigures,
  storage: storageFigures,
  pipeline: pipelineFigures,
  gate: accessCheckFigures,
  webhooks: webhookFigures,
  flood: floodFigures,
  apiserver: apiServerFigures,
  scheduler: schedulerFigures,
  controllers: controllerFigures,
  node: nodeFigures,
  testing: testingFigures,
  kubectl: kubectlFigures,
}

const wanted = process.argv.slice(2)
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) await measure(print)
}

function print({ name, value, unit, budget, note }: Figure): void {
  const shown = value >= 100 ? value.toFixed(0) : value.toPrecision(3)
  const remarks = [budget && `budget ${budget}`, note].filter(Boolean).join('; ')
  console.log(`${name.padEnd(44)} ${shown.padStart(10)} ${unit.padEnd(8)} ${remarks && `(${remarks})`}`.trimEnd())
}
