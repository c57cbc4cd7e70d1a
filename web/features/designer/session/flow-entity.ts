import { PARSERS, PATH_PARSERS, type ParserName, type PathParserName } from '#domain/expression/engine.ts'
import type { Json } from '#schemas/event.ts'
import { optionalText } from '#schemas/json.ts'
import type { Row } from '#web/entity/entity-query.ts'

/** Fields that the designer reads of related entities. */
export interface Named {
  readonly id: string
  readonly name: string
  readonly revision: number
}

export interface FlowEntity extends Named {
  readonly dialogtask: string
  readonly published: boolean
  readonly publishedrevision: number | null
  readonly published_at: string | null
  readonly global: boolean
}

interface Task extends Named {
  readonly bot: string
  readonly principaldialog: string | null
}

interface Variable extends Named {
  readonly bot: string | null
  readonly datatype: string | undefined
  readonly schema: string | null
  readonly scope: string | undefined
  /** Its owner, if not the whole bot. */
  readonly task: string | null
  readonly dialog: string | null
  /** An example of its value. */
  readonly customdata: Json | undefined
}

/** `expressionparser`, `jsonpathparser`: the languages of the bot's expressions. */
interface Bot extends Named {
  readonly expressionparser: ParserName | undefined
  readonly jsonpathparser: PathParserName | undefined
}
const oneOf = <T extends string>(values: readonly T[], value: Json | undefined): T | undefined =>
  values.find(each => each === value)

export const named = ({ id, name, revision }: Row): Named => ({ id, name: optionalText(name) ?? '', revision })

export const flowOf = (row: Row): FlowEntity => ({
  ...named(row),
  dialogtask: optionalText(row.dialogtask) ?? '',
  published: row.published === true,
  publishedrevision: typeof row.publishedrevision === 'number' ? row.publishedrevision : null,
  published_at: optionalText(row.published_at) ?? null,
  global: row.global === true,
})

export const taskOf = (row: Row): Task => ({
  ...named(row),
  bot: optionalText(row.bot) ?? '',
  principaldialog: optionalText(row.principaldialog) ?? null,
})

export const variableOf = (row: Row): Variable => ({
  ...named(row),
  bot: optionalText(row.bot) ?? null,
  datatype: optionalText(row.datatype),
  schema: optionalText(row.schema) ?? null,
  scope: optionalText(row.scope),
  task: optionalText(row.task) ?? null,
  dialog: optionalText(row.dialog) ?? null,
  customdata: row.customdata,
})

export const botOf = (row: Row): Bot => ({
  ...named(row),
  expressionparser: oneOf(PARSERS, row.expressionparser),
  jsonpathparser: oneOf(PATH_PARSERS, row.jsonpathparser),
})
