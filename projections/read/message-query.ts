import { type MessageCell, messageRows, missingLocales, resolvedMessage } from '#domain/locale-message.ts'
import type { MessageMatrix } from '#schemas/api/message.ts'
import { foldText } from '../fold-text.ts'
import type { Scope } from '../port.ts'
import type { MessageQuery } from '../query-results.ts'
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
  readonly locale: string
  readonly namespace: string | null
  readonly code: string
  readonly enabled: boolean
  readonly distance: number
  /** The caller may open it; else only its existence is shown, not its text. */
  readonly isVisible: boolean
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
    const home = this.#reader.homeSpan(scope)
    const may = (entity: Entry['table']) => scope.readable === 'all' || scope.readable.has(entity)
    const entries = [
      ...levels.flatMap((key, at) =>
        this.#entries(GENERAL, 'level', key, {
          search,
          distance: at + (isBot ? 1 : 0),
          isVisible: may(GENERAL) && this.#reader.isIn(key, home),
        }),
      ),
      ...(isBot ? this.#entries(OF_BOT, 'f_bot', place.id, { search, distance: 0, isVisible: may(OF_BOT) }) : []),
    ]
    const { locales, missing, page, size } = query
    const isFound = (entry: Entry | undefined) => entry?.isVisible === true && (search === '' || entry.isMatch)
    const found = messageRows(entries).filter(({ cells }) =>
      [...cells.values()].some(({ own, inherited }) => isFound(own) || isFound(inherited)),
    )
    const gaps = found.map(row => ({ row, gaps: missingLocales(row, locales) }))
    const rows = gaps.filter(one => missing === undefined || one.gaps.some(gap => missing === 'any' || gap === missing))
    return {
      items: rows.slice((page - 1) * size, page * size).map(({ row: { namespace, code, cells } }) => ({
        namespace,
        code,
        messages: Object.fromEntries(locales.map(locale => [locale, this.#cell(cells.get(locale) ?? {})])),
      })),
      total: rows.length,
      page,
      size,
      locales: [...locales],
      missing: {
        any: gaps.filter(one => one.gaps.length > 0).length,
        ...Object.fromEntries(locales.map(locale => [locale, gaps.filter(one => one.gaps.includes(locale)).length])),
      },
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
    { search, distance, isVisible }: { readonly search: string } & Pick<Entry, 'distance' | 'isVisible'>,
  ): readonly Entry[] {
    const rows = this.#reader.statements.all(
      `SELECT rid, id, f_locale, f_namespace, f_code, f_enabled, instr(folded, ?) > 0 AS matches
       FROM ${tableName(table)} WHERE ${column} = ? AND listed = 1`,
      search,
      value,
    )
    return rows.map(row => ({
      table,
      rid: numberOf(row, 'rid'),
      id: stringOf(row, 'id'),
      locale: stringOf(row, 'f_locale'),
      namespace: textOf(row, 'f_namespace'),
      code: stringOf(row, 'f_code'),
      enabled: row.f_enabled === 1,
      distance,
      isVisible,
      isMatch: row.matches === 1,
    }))
  }

  #cell(cell: MessageCell<Entry>): MessageMatrix['items'][number]['messages'][string] {
    const used = resolvedMessage(cell)
    const seen = (entry: Entry | undefined) => (entry?.isVisible === true ? this.#stored(entry) : undefined)
    const own = seen(cell.own)
    const inherited = seen(cell.inherited)
    const source = used === undefined ? null : !used.isVisible ? 'hidden' : used === cell.own ? 'own' : 'general'
    return {
      text: (source === 'own' ? own?.message : source === 'general' ? inherited?.message : undefined) ?? null,
      source,
      own: own ?? null,
      general: inherited === undefined ? null : { id: inherited.id, message: inherited.message },
    }
  }

  #stored({ table, rid, id, enabled }: Entry) {
    const row = this.#reader.statements.get(`SELECT f_message, revision FROM ${tableName(table)} WHERE rid = ?`, rid)
    return { id, revision: numberOf(row, 'revision'), message: stringOf(row, 'f_message'), enabled }
  }
}
