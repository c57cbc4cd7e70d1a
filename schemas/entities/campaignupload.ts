import { defineEntity } from '../entity.ts'
import { enumeration, integer, reference, string, time } from '../field/field.ts'

export const UPLOAD_STATUSES = ['received', 'running', 'succeeded', 'partial', 'failed', 'cancelled'] as const
const STEP_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'skipped'] as const

const step = () => enumeration(STEP_STATUSES, { readonly: true, initial: 'pending' })
const count = () => integer({ readonly: true, min: 0, initial: 0 })

/** A file on its way into the audience of a campaign. Its rows are in the log of audiences (docs/adr/0025). */
export const campaignupload = defineEntity({
  name: 'campaignupload',
  type: 'CampaignUpload',
  parent: 'campaignuploadprofile',
  withoutParent: 'level',
  icon: 'FileClock',
  writtenBy: 'system',
  fields: {
    campaignuploadprofile: reference('campaignuploadprofile', { fixed: true }),
    campaign: reference('campaign', { readonly: true, onTargetRemoved: 'clear' }),
    /** The list that it is brought to, instead of a campaign. */
    contactlist: reference('contactlist', { readonly: true, onTargetRemoved: 'clear' }),
    /** Of the file. */
    name: string({ readonly: true, max: 255 }),
    status: enumeration(UPLOAD_STATUSES, { readonly: true, initial: 'received' }),
    pre_status: step(),
    validation_status: step(),
    post_status: step(),
    read: count(),
    valid: count(),
    invalid: count(),
    dropped: count(),
    /** In the campaign already, or repeated in the file. */
    duplicate: count(),
    /** Of the duplicates, lines whose number is in an earlier line of the file. */
    repeated: count(),
    suppressed: count(),
    added: count(),
    error_message: string({ readonly: true, max: 1000 }),
    started: time({ readonly: true }),
    finished: time({ readonly: true }),
    time_taken: integer({ readonly: true, min: 0, unit: 'ms' }),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'campaign', as: 'reference' },
      { field: 'status', as: 'status' },
      { field: 'pre_status', as: 'tags' },
      { field: 'validation_status', as: 'tags' },
      { field: 'post_status', as: 'tags' },
      { field: 'added', as: 'number' },
      { field: 'invalid', as: 'number' },
      { field: 'started', as: 'time' },
    ],
    search: ['name', 'error_message'],
  },
  form: [
    { id: 'general', fields: ['name', 'campaign', 'contactlist', 'status', 'error_message'] },
    { id: 'steps', fields: ['pre_status', 'validation_status', 'post_status', 'started', 'finished', 'time_taken'] },
    { id: 'counts', fields: ['read', 'valid', 'invalid', 'dropped', 'duplicate', 'repeated', 'suppressed', 'added'] },
  ],
  page: 'own',
})
