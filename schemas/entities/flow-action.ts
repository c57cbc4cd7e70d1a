import type { EntityAction } from '../action.ts'
import { integer, string } from '../field/field.ts'

/** Makes a copy beside the thing; without a name the copy gets a free one. */
export const DUPLICATE = { icon: 'Copy', on: [], input: { name: string() } } satisfies EntityAction

/** What everything that has a flow can be told. */
export const FLOW_ACTIONS = {
  /** `flowrevision` is the one that was reviewed. */
  publish: { icon: 'CloudUpload', on: ['bulk'], input: { flowrevision: integer({ min: 0, internal: true }) } },
  unpublish: { icon: 'CloudOff', on: ['bulk'] },
  duplicate: DUPLICATE,
} satisfies Record<string, EntityAction>
