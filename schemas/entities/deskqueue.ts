import { defineEntity } from '../entity.ts'
import { boolean, duration, enumeration, integer, list, reference, string, strings, text } from '../field/field.ts'
import { RATING_SCALES } from '../rating.ts'

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/
const DAYS = { min: 0, max: 6 } as const
const MAX_S = 86_400

/** Moments at which the person reads a text; a queue may replace each, or leave it out with an empty one. */
const DESK_TEXTS = [
  'waiting',
  'waiting_unknown',
  'position',
  'joined',
  'transferred',
  'returned',
  'nobody',
  'full',
  'closed',
  'left',
  'nudge',
  'back',
] as const
export type DeskText = (typeof DESK_TEXTS)[number]

/** Queue of chats for the bots at its level and below, with the users that answer them. */
export const deskqueue = defineEntity({
  name: 'deskqueue',
  type: 'DeskQueue',
  parent: 'level',
  maxInLevel: 50,
  icon: 'Inbox',
  fields: {
    name: string({ required: true, max: 100 }),
    enable: boolean({ initial: true }),
    /** `manual`: nobody is given a chat, members take them. */
    mode: enumeration(['leastbusy', 'roundrobin', 'manual'], { initial: 'leastbusy' }),
    /** `user`: the id of a user. Priority 1 comes first. */
    members: list(
      { user: string({ required: true, max: 100 }), priority: integer({ min: 1, max: 3, initial: 1 }) },
      { maxItems: 500, control: 'members' },
    ),
    /** Days in which a person comes back to the agent they had; 0: off. */
    sticky_days: integer({ min: 0, max: 365, initial: 7 }),
    sticky_wait: duration('s', { max: MAX_S, initial: 30 }),
    /** Seconds to open a chat that was given; 0: no limit. */
    accept_within: duration('s', { max: MAX_S, initial: 0 }),
    /** Seconds to answer a chat that was given; 0: no limit. */
    answer_within: duration('s', { max: MAX_S, initial: 0 }),
    absent_after: duration('min', { min: 1, max: 1440, initial: 5 }),
    max_waiting: integer({ min: 1, max: 200, initial: 200 }),
    /** 0: until the hours end. */
    max_wait: duration('min', { max: 1440, initial: 15 }),
    /** Minutes without a word of the person until they are asked whether they are still there; 0: never. */
    idle_nudge: duration('min', { max: 1440, initial: 0 }),
    /** Minutes without a word of the person until the chat ends; 0: never. */
    idle_close: duration('min', { max: 10_080, initial: 0 }),
    timezone: string({ control: 'timezone', initial: 'America/Sao_Paulo', max: 60 }),
    /** Day 0 is Sunday; two periods a day. Empty: always open. */
    week: list(
      {
        day: integer({ required: true, ...DAYS }),
        from: string({ required: true, control: 'clock', pattern: CLOCK, rule: 'clock', max: 5 }),
        to: string({ required: true, control: 'clock', pattern: CLOCK, rule: 'clock', max: 5 }),
      },
      { maxItems: 14, control: 'opening' },
    ),
    country: string({ control: 'country', initial: 'BR', max: 2 }),
    state: string({ control: 'state', max: 10 }),
    holiday_kinds: strings({ initial: ['public'], options: ['public', 'bank', 'school', 'optional', 'observance'] }),
    specific_dates: list(
      {
        date: string({ required: true, control: 'date', pattern: /^\d{4}-\d\d-\d\d$/, rule: 'day', max: 10 }),
        name: string(),
      },
      { maxItems: 100 },
    ),
    /** Task for persons that arrive outside the hours. */
    closed_task: reference('dialogtask', { onTargetRemoved: 'clear' }),
    goal_first: duration('s', { max: MAX_S, initial: 60 }),
    goal_answer: duration('s', { max: MAX_S, initial: 120 }),
    /** Number of waiting chats that notifies supervisors; 0: none. */
    alert_at: integer({ min: 0, max: 200, initial: 12 }),
    /** A text in place of the usual one of its moment; an empty one says nothing. */
    texts: list(
      { moment: enumeration(DESK_TEXTS, { required: true, initial: 'waiting' }), text: text({ max: 1000 }) },
      { maxItems: DESK_TEXTS.length },
    ),
    show_agent_name: enumeration(['first', 'always', 'never'], { initial: 'first' }),
    close_reasons: list(
      {
        key: string({ required: true, pattern: /^[a-z0-9_-]{1,40}$/, rule: 'shortname', max: 40 }),
        name: string({ required: true }),
        /** False: closing for this reason asks for no rating. */
        csat: boolean({ initial: true }),
      },
      { itemTitle: 'name', maxItems: 50 },
    ),
    reason_required: boolean(),
    /** Scale of the rating that closing a chat requests. */
    csat: enumeration(['off', ...RATING_SCALES], { initial: 'off' }),
    /** Empty: the usual question. */
    csat_text: text({ max: 1000 }),
    /** Question for a comment; empty: none. */
    csat_comment: text({ max: 1000 }),
    /** Places to which an agent may return a person; empty: all. */
    return_targets: list(
      {
        kind: enumeration(['flow', 'task', 'block'], { required: true, initial: 'flow' }),
        task: string({ max: 100 }),
        dialog: string({ max: 100 }),
        block: string({ max: 100 }),
      },
      { maxItems: 50, control: 'returntargets' },
    ),
    /** Priority of a chat whose field has a value. */
    priority_rules: list(
      {
        field: string({ required: true, max: 100 }),
        equals: string({ required: true }),
        priority: integer({ required: true, min: 0, max: 3 }),
      },
      { maxItems: 20 },
    ),
  },
  unique: [{ field: 'name', within: 'level' }],
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'mode', as: 'tags' },
      { field: 'enable', as: 'boolean' },
    ],
    level: true,
    search: ['name'],
  },
  form: [
    { id: 'general', fields: ['name', 'enable', 'goal_first', 'goal_answer', 'alert_at'] },
    {
      id: 'hours',
      fields: ['week', 'timezone', 'country', 'state', 'holiday_kinds', 'specific_dates', 'closed_task'],
    },
    { id: 'team', fields: ['mode', 'members'] },
    {
      id: 'limits',
      fields: [
        'sticky_days',
        'sticky_wait',
        'accept_within',
        'answer_within',
        'absent_after',
        'max_waiting',
        'max_wait',
        'idle_nudge',
        'idle_close',
        'priority_rules',
      ],
    },
    { id: 'texts', fields: ['texts', 'show_agent_name'] },
    {
      id: 'closing',
      fields: ['close_reasons', 'reason_required', 'csat', 'csat_text', 'csat_comment', 'return_targets'],
    },
  ],
  place: { menu: { group: 'serve', order: 20 } },
  page: 'own',
})
