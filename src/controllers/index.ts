/** What users of the library import, as `proa/controllers`, to write control loops of their own. */

export { type Environment, environment } from '../base/environment.js'
export { formatLogRecord, type Logger, type LoggerOptions, logger } from '../base/logging.js'
export { type OperatorCluster, type OperatorOptions, type RunningOperator, startOperator } from './operator.js'
export { type ControllerBuilder, controller, type KindOrResource } from './runtime/builder.js'
export { controllerOf, controllerReference, isControlledBy } from './runtime/owners.js'
export type {
  Controller,
  ControllerDependencies,
  KeyMapper,
  Reconcile,
  ReconcileContext,
  ReconcileResult,
  RunningController,
} from './runtime/reconcile.js'
