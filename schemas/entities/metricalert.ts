import { defineEntity } from '../entity.ts'
import { boolean, enumeration, integer, number, reference, string } from '../field/field.ts'

/** Figures that an alert may watch: conversations, and shares in percent. */
const ALERT_METRICS = [
  'started',
  'contained',
  'handoff',
  'unserved',
  'completed',
  'gaveup',
  'failed',
  'misunderstood',
  'rating',
] as const
export type AlertMetric = (typeof ALERT_METRICS)[number]

/** A limit of a figure of a bot: its readers are notified when it is crossed, and when it is kept again. */
export const metricalert = defineEntity({
  name: 'metricalert',
  type: 'MetricAlert',
  parent: 'bot',
  versioned: { not: 'the limits of each environment are its own' },
  icon: 'BellRing',
  fields: {
    bot: reference('bot', { required: true, fixed: true }),
    name: string({ required: true, max: 100 }),
    enable: boolean({ initial: true }),
    metric: enumeration([...ALERT_METRICS], { required: true, initial: 'contained' }),
    direction: enumeration(['below', 'above'], { required: true, initial: 'below' }),
    /** Percent, or a number of conversations. */
    threshold: number({ required: true, min: 0, max: 1_000_000, initial: 60 }),
    /** Days of the window; today is the last one. Too few conversations are counted over whole days, up to yesterday. */
    days: integer({ required: true, min: 1, max: 90, initial: 7 }),
    /** Conversations from which on a share counts. */
    least: integer({ min: 1, max: 100_000, initial: 30 }),
  },
  unique: [{ field: 'name', within: 'bot' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'metric', as: 'tags' },
      { field: 'direction', as: 'tags' },
      { field: 'threshold', as: 'number' },
      { field: 'days', as: 'number' },
      { field: 'enable', as: 'boolean' },
    ],
    search: ['name'],
  },
  form: [
    { id: 'general', fields: ['name', 'enable'] },
    { id: 'rule', fields: ['metric', 'direction', 'threshold', 'days', 'least'] },
  ],
  place: { bot: { group: 'settings', order: 125 } },
})
