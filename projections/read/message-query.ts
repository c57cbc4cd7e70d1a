import { type MessageCell, messageRows, missingLocales, resolvedMessage } from '#domain/locale-message.ts'
import type { MessageMatrix } from '#schemas/api/message.ts'
import { foldText } from '../fold-text.ts'
import type { MessageQuery } from '../message-matrix.ts'
import type { Scope } from '../port.ts'
import { numberOf, stringOf, textOf } from '../statement-cache.ts'
import { tableName } from '../table.ts'
import type { ModelReader } from './model-reader.ts'

const GENERAL = 'localemessage'
const OF_BOT = 'botspecificlocalemessage'

/** The message's text is read for the rows of a page alone. */
interface Entry {
  readonly table: typeof GENERAL | typeof OF_BOT
  readonly rid: number
  readonly id: string
  readonly level: number
  readonly locale: string
  readonly namespace: string | null
  readonly code: string
  readonly enabled: boolean
  readonly distance: number
  readonly isMatch: boolean
}

/** Messages of a level or a bot by code and language, with what they inherit. */
export class MessageQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  /** Undefined: no such bot or level, or outside the caller's home subtree. */
  messages(scope: Scope, { place, ...query }: MessageQuery): MessageMatrix | undefined {
    const level = this.#levelOf(scope, place)
    if (level === undefined) return undefined
    const search = foldText(query.search ?? '')
    const levels = this.#chain(level)
    const isBot = place.entity === 'bot'
    const entries = [
      ...levels.flatMap((key, at) => this.#entries(GENERAL, 'level', key, { search, distance: at + (isBot ? 1 : 0) })),
      ...(isBot ? this.#entries(OF_BOT, 'f_bot', place.id, { search, distance: 0 }) : []),
    ]
    const { locales, missing, page, size } = query
    const found = messageRows(entries).filter(
      ({ cells }) => search === '' || [...cells.values()].some(cell => cell.own?.isMatch || cell.inherited?.isMatch),
    )
    const gaps = found.map(row => ({ row, gaps: missingLocales(row, locales) }))
    const rows = gaps.filter(one => missing === undefined || one.gaps.some(gap => missing === 'any' || gap === missing))
    return {
      items: rows.slice((page - 1) * size, page * size).map(({ row: { namespace, code, cells } }) => ({
        namespace,
        code,
        messages: Object.fromEntries(locales.map(locale => [locale, this.#cell(scope, cells.get(locale) ?? {})])),
      })),
      total: rows.length,
      page,
      size,
      locales: [...locales],
      missing: Object.fromEntries(
        locales.map(locale => [locale, gaps.filter(one => one.gaps.includes(locale)).length]),
      ),
    }
  }

  #levelOf(scope: Scope, { entity, id }: MessageQuery['place']): number | undefined {
    if (entity === 'bot') {
      const row = this.#reader.open(scope, 'bot', id)
      return row?.listed === 1 ? numberOf(row, 'level') : undefined
    }
    const level = this.#reader.levelKey(id)
    return level !== undefined && this.#reader.isIn(level, this.#reader.homeSpan(scope)) ? level : undefined
  }

  /** A level and those above it, nearest first. */
  #chain(level: number): readonly number[] {
    const chain: number[] = []
    for (let key = level; key !== 0 && !chain.includes(key); ) {
      chain.push(key)
      key = numberOf(this.#reader.statements.get('SELECT parent FROM level WHERE key = ?', key), 'parent')
    }
    return chain
  }

  #entries(
    table: Entry['table'],
    column: 'level' | 'f_bot',
    value: number | string,
    { search, distance }: { readonly search: string; readonly distance: number },
  ): readonly Entry[] {
    const rows = this.#reader.statements.all(
      `SELECT rid, id, level, f_locale, f_namespace, f_code, f_enabled, instr(folded, ?) > 0 AS matches
       FROM ${tableName(table)} WHERE ${column} = ? AND listed = 1`,
      search,
      value,
    )
    return rows.map(row => ({
      table,
      rid: numberOf(row, 'rid'),
      id: stringOf(row, 'id'),
      level: numberOf(row, 'level'),
      locale: stringOf(row, 'f_locale'),
      namespace: textOf(row, 'f_namespace'),
      code: stringOf(row, 'f_code'),
      enabled: row.f_enabled === 1,
      distance,
      isMatch: row.matches === 1,
    }))
  }

  #cell(scope: Scope, cell: MessageCell<Entry>): MessageMatrix['items'][number]['messages'][string] {
    const { own, inherited } = cell
    const used = resolvedMessage(cell)
    const ownText = own && this.#text(own)
    const generalText = inherited && this.#text(inherited)
    const isOpen = inherited !== undefined && this.#reader.isIn(inherited.level, this.#reader.homeSpan(scope))
    return {
      text: (used === undefined ? undefined : used === own ? ownText?.message : generalText?.message) ?? null,
      source: used === undefined ? null : used === own ? 'own' : 'general',
      own: own && ownText ? { id: own.id, ...ownText, enabled: own.enabled } : null,
      // The bot says it whoever looks; what lies above the caller cannot be opened.
      general: inherited && generalText ? { id: isOpen ? inherited.id : null, message: generalText.message } : null,
    }
  }

  #text({ table, rid }: Entry): { readonly message: string; readonly revision: number } {
    const row = this.#reader.statements.get(`SELECT f_message, revision FROM ${tableName(table)} WHERE rid = ?`, rid)
    return { message: stringOf(row, 'f_message'), revision: numberOf(row, 'revision') }
  }
}
