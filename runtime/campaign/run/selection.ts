import { segmentRuleOf } from '#domain/audience/segment.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { RunPlan, RunSelection } from '#schemas/events/campaign.ts'
import type { AudienceRow, MemberRow } from '../audience/audience.ts'
import type { StoredAudience } from '../audience/open-audience.ts'
import type { SegmentOf, Segments } from '../audience/segments.ts'

/** A contact of a list or a segment, as its audience has it. */
interface SelectedMember extends MemberRow {
  /** Id of the audience. */
  readonly of: string
}

/** A candidate of a run. */
export interface SelectedRow extends AudienceRow {
  /** The list or campaign that has it; absent: the campaign of the run. */
  readonly audience?: string
}

interface SelectedPage {
  readonly rows: readonly SelectedRow[]
  readonly members: readonly SelectedMember[]
  /** Rows that it was chosen from. */
  readonly looked: number
  /** Undefined after the last page. */
  readonly next: string | undefined
  /** 0: own contacts; then lists and segments, in order. */
  readonly source: number
}

/** Lists and segments of campaigns. */
export interface RunSelections {
  /** Lists and segments of a campaign now; `none`: it has none; undefined: one of them was removed. */
  of(fields: JsonObject): Promise<RunSelection | 'none' | undefined>
  /**
   * A page of what a plan is sent to, from a cursor on; the first cursor is `0`.
   * @throws SegmentUnknown, FileNotRead
   */
  page(plan: Pick<RunPlan, 'campaign' | 'selection'>, cursor: string, signal?: AbortSignal): Promise<SelectedPage>
  /** Rows that its pages are chosen from. */
  size(plan: Pick<RunPlan, 'campaign' | 'selection'>): Promise<number>
  /** Whether a minus list has the person. */
  isOmitted(selection: RunSelection, row: Pick<AudienceRow, 'contact' | 'phone'>): boolean
  /** Freezes contacts for a campaign. Returns the contact of each, in order; undefined: it cannot be read. */
  freeze(campaign: string, members: readonly SelectedMember[]): Promise<readonly (string | undefined)[]>
}

const ROWS = 1000
/** Cursor of a list or segment: its place among the sources, and the position in it; empty at its beginning. */
const CURSOR = /^s(\d+):(\d*)$/u

const idsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

const rowOf = ({ contact, phone, country, upload, line, of }: SelectedMember): SelectedRow => ({
  ...{ contact, phone, country, audience: of },
  ...(upload === null || line === null ? {} : { upload, line }),
})

export const openSelections = (
  read: Pick<ReadModels, 'detail'>,
  audience: StoredAudience,
  segments: Segments,
): RunSelections => {
  const named = async <E extends 'contactlist' | 'segment'>(entity: E, ids: readonly string[]) => {
    const rows = await Promise.all(ids.map(id => read.detail(SYSTEM_SCOPE, entity, id)))
    return rows.some(row => row === undefined) ? undefined : rows.flatMap(row => row ?? [])
  }
  const segmentOf = ({ level, rule }: RunSelection['segments'][number]): SegmentOf | undefined => {
    const found = segmentRuleOf(rule)
    return found && { level, rule: found }
  }
  const nextSource = (selection: RunSelection | undefined, place: number): string | undefined => {
    const many = selection === undefined ? 0 : selection.lists.length + selection.segments.length
    return place < many ? `s${place}:` : undefined
  }

  const ownPage = async ({ campaign, selection }: Pick<RunPlan, 'campaign' | 'selection'>, after: number) => {
    const { rows, next } = await audience.page(campaign, after, ROWS)
    const cursor = next === undefined ? nextSource(selection, 0) : String(next)
    return { rows, members: [], looked: rows.length, next: cursor, source: 0 }
  }

  const listPage = (list: string, after: number, place: number, selection: RunSelection): SelectedPage => {
    const members = audience.index.page(list, after, ROWS).map(member => ({ ...member, of: list }))
    const last = members.at(-1)?.place
    const next = members.length < ROWS || last === undefined ? nextSource(selection, place + 1) : `s${place}:${last}`
    return { rows: members.map(rowOf), members, looked: members.length, next, source: place + 1 }
  }

  return {
    async of(fields) {
      const [lists, segmentIds, minus] = [idsOf(fields.lists), idsOf(fields.segments), idsOf(fields.minuslists)]
      if (lists.length + segmentIds.length + minus.length === 0) return 'none'
      const found = [await named('contactlist', lists), await named('contactlist', minus)] as const
      const rows = await named('segment', segmentIds)
      if (found[0] === undefined || found[1] === undefined || rows === undefined) return undefined
      return {
        lists: found[0].map(({ id, name }) => ({ id, name })),
        segments: rows.map(({ id, name, hierarchylevel, rule }) => ({
          ...{ id, name, level: hierarchylevel ?? null },
          rule: rule as JsonObject,
        })),
        minus: found[1].map(({ id, name }) => ({ id, name })),
      }
    },
    async page(plan, cursor, signal) {
      const [, source, at = ''] = CURSOR.exec(cursor) ?? []
      const { selection } = plan
      if (source === undefined || selection === undefined) return ownPage(plan, Number(cursor))
      const place = Number(source)
      const list = selection.lists[place]
      if (list !== undefined) return listPage(list.id, Number(at), place, selection)
      const named = selection.segments[place - selection.lists.length]
      const segment = named && segmentOf(named)
      const after = nextSource(selection, place + 1)
      if (segment === undefined) return { rows: [], members: [], looked: 0, next: after, source: place + 1 }
      const caller = {
        from: { level: segment.level ?? '', bot: plan.campaign },
        ...(signal === undefined ? {} : { signal }),
      }
      const { members, looked, next } = await segments.page(segment, at === '' ? undefined : Number(at), caller)
      const followed = next === undefined ? after : `s${place}:${next}`
      return { rows: members.map(rowOf), members, looked, next: followed, source: place + 1 }
    },
    async size({ campaign, selection }) {
      let size = await audience.count(campaign)
      for (const { id } of selection?.lists ?? []) size += await audience.count(id)
      for (const one of selection?.segments ?? []) {
        const segment = segmentOf(one)
        if (segment !== undefined) size += await segments.size(segment)
      }
      return size
    },
    isOmitted: ({ minus }, row) =>
      minus.length > 0 &&
      audience.index.listsWith(
        minus.map(({ id }) => id),
        audience.index.digestsOfRow(row),
      ).length > 0,
    async freeze(campaign, members) {
      const frozen: (string | undefined)[] = []
      const places = new Map<SelectedMember, string | undefined>()
      for (const [of, some] of Map.groupBy(members, member => member.of)) {
        const contacts = await audience.plan(campaign, of, some)
        for (const [place, member] of some.entries()) places.set(member, contacts[place])
      }
      for (const member of members) frozen.push(places.get(member))
      return frozen
    },
  }
}
