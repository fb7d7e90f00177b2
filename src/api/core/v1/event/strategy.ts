import { declareStrategy } from '../../../../schema/strategy.js'
import { pathSegmentName } from '../../../metadata/name-validation.js'
import { Event } from '../event.js'
import { validateEvent } from './validation.js'

/** Old clients may use any name and change every field. */
export const eventStrategy = declareStrategy<Event>(Event, {
  name: pathSegmentName,
  validate: (event) => validateEvent(event, 'core/v1'),
  validateUpdate: (event) => validateEvent(event, 'core/v1'),
  fields: {
    'involvedObject.kind': ({ involvedObject }) => involvedObject.kind ?? '',
    'involvedObject.namespace': ({ involvedObject }) => involvedObject.namespace ?? '',
    'involvedObject.name': ({ involvedObject }) => involvedObject.name ?? '',
    'involvedObject.uid': ({ involvedObject }) => involvedObject.uid ?? '',
    'involvedObject.apiVersion': ({ involvedObject }) => involvedObject.apiVersion ?? '',
    'involvedObject.resourceVersion': ({ involvedObject }) => involvedObject.resourceVersion ?? '',
    'involvedObject.fieldPath': ({ involvedObject }) => involvedObject.fieldPath ?? '',
    reason: ({ reason }) => reason ?? '',
    reportingComponent: ({ reportingComponent }) => reportingComponent,
    source: ({ source, reportingComponent }) => source?.component || reportingComponent,
    type: ({ type }) => type ?? '',
  },
  createdByUpdate: true,
})
