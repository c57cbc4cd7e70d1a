import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { parseStatement } from '#domain/nlu/project-data.ts'
import { createStatementIndex, type Likeness, type StatementIndex } from '#domain/nlu/statement-index.ts'
import { reviewedOf } from '#domain/nlu-training.ts'
import type { RowOf } from '#schemas/row.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { readRow } from '#web/entity/entity-query.ts'
import { type Rows, readAll } from '#web/entity/read-all.ts'
import { type Evaluation, useEvaluation, useModels } from '#web/nlu/training-status.tsx'
import { notice } from '#web/notice/notice.ts'

/** Owner of the lines: intents of an NLU project, or questions of a brain. */
export interface StatementOwner {
  readonly entity: 'intent' | 'nluintent'
  readonly parent: 'nluproject' | 'brain'
}

export const OWNERS: Readonly<Record<StatementOwner['entity'], StatementOwner>> = {
  intent: { entity: 'intent', parent: 'nluproject' },
  nluintent: { entity: 'nluintent', parent: 'brain' },
}

export interface Statement {
  readonly id: string
  readonly text: string
}

export interface Intent {
  readonly id: string
  readonly revision: number
  readonly name: string
  readonly statements: readonly Statement[]
}

const NO_ROWS: readonly never[] = []

const intentOf = ({ id, revision, name, statements }: RowOf<StatementOwner['entity']>): Intent => ({
  ...{ id, revision, name, statements },
})

const allOf = <N extends string>(entity: N, parent: string, id: string) =>
  queryOptions({
    queryKey: [entity, 'list', { [parent]: id, all: true }] as const,
    queryFn: ({ signal }) => readAll(entity, { [parent]: id, sort: 'created_at' }, signal),
  })

/** The intents of a project with all their lines, oldest first, and an index of these. */
export const useIntents = ({ entity, parent }: StatementOwner, id: string) => {
  const query = useQuery(allOf(entity, parent, id))
  const rows = query.data?.items ?? NO_ROWS
  const intents = useMemo(() => rows.map(intentOf), [rows])
  const index = useMemo(() => createStatementIndex(intents), [intents])
  return { intents, index, query }
}

/** Names of the entities of a project, in the order in which they were made. */
export const useEntityNames = ({ parent }: StatementOwner, id: string): readonly string[] => {
  const { can } = useSession()
  const isRead = parent === 'nluproject' && can('readnluprojectentity')
  const { data } = useQuery({ ...allOf('nluprojectentity', parent, id), enabled: isRead })
  return useMemo(() => (data?.items ?? NO_ROWS).map(({ name }) => name), [data])
}

/** Creates entities that marks use for the first time, if the project has its own entities. */
const declareEntities = async (client: QueryClient, parent: string, id: string, lines: readonly Statement[]) => {
  const { queryKey } = allOf('nluprojectentity', parent, id)
  const known = client.getQueryData<Rows<'nluprojectentity'>>(queryKey)
  if (parent !== 'nluproject' || known === undefined) return
  const names = new Set(known.items.map(({ name }) => name))
  const used = new Set(lines.flatMap(({ text }) => parseStatement(text).spans.map(({ entity }) => entity)))
  const missing = [...used.difference(names)]
  // It may exist already, or creation may be forbidden: the mark stays in both cases.
  for (const name of missing)
    await http
      .post('/{entity}', { params: { entity: 'nluprojectentity' }, body: { nluproject: id, name } })
      .catch(() => undefined)
  if (missing.length > 0) await client.invalidateQueries({ queryKey: ['nluprojectentity'] })
}

/** Id of a new line; short, as an intent holds thousands of them. */
export const newLineId = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 12)

export type LineChange = (lines: readonly Statement[]) => readonly Statement[]

/**
 * Saves a change of an intent's lines at once, one after the other. Lines that others change meanwhile merge by their
 * ids; answers whether it was saved.
 */
export const useSaveLines = ({ entity, parent }: StatementOwner, parentId: string) => {
  const { t } = useTranslation('nlu')
  const client = useQueryClient()
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  return useCallback(
    (id: string, change: LineChange): Promise<boolean> => {
      const key = allOf(entity, parent, parentId).queryKey
      const save = async (): Promise<boolean> => {
        const row = client.getQueryData<Rows<StatementOwner['entity']>>(key)?.items.find(item => item.id === id)
        if (row === undefined) return false
        const statements = change(intentOf(row).statements).map(line => ({ ...line }))
        try {
          const done = await http.patch('/{entity}/{id}', {
            params: { entity, id },
            body: { statements },
            revision: row.revision,
          })
          const isMerged = done.revision > row.revision + 1
          const next = isMerged ? await readRow(entity, id) : { ...row, statements, revision: done.revision }
          client.setQueryData<Rows<StatementOwner['entity']>>(key, rows =>
            rows === undefined ? rows : { ...rows, items: rows.items.map(item => (item.id === id ? next : item)) },
          )
          const before = new Set(intentOf(row).statements.map(({ text }) => text))
          const fresh = statements.filter(({ text }) => !before.has(text))
          await declareEntities(client, parent, parentId, fresh)
          return true
        } catch (error) {
          const detail = isProblem(error) && error.status > 0 ? error.message : t('unsaved')
          notice.toast(t('notsaved'), { tone: 'danger', detail })
          if (isProblem(error) && error.status === 409) await client.invalidateQueries({ queryKey: [entity] })
          return false
        }
      }
      const saved = queue.current.then(save)
      queue.current = saved
      return saved
    },
    [client, entity, parent, parentId, t],
  )
}

/** Hues of entities in the order in which they were made; they repeat from the sixth on, and the name decides. */
const HUES = ['interaction', 'flow', 'cards', 'datamanagement', 'integration'] as const

export const hueOf = (entity: string, names: readonly string[]): string => {
  const at = names.indexOf(entity)
  return `category.${HUES[(at < 0 ? names.length : at) % HUES.length]}`
}

/**
 * Problem of a line: a duplicate in its intent, the same or a similar line in another intent, or confused with another
 * intent by the last training.
 */
export type Problem =
  | { readonly kind: 'duplicate' /** Counted from 1. */; readonly of: number }
  | { readonly kind: 'conflict' | 'confused'; readonly with: Pick<Likeness, 'intent' | 'name' | 'score'> }

/** Lines confused in the last training, by id: the predicted intent and the model's score. */
type ConfusedLines = ReadonlyMap<string, Pick<Likeness, 'intent' | 'name' | 'score'>>
const NONE: ConfusedLines = new Map()

/** Lines of an intent that are compared with all others; of more, those alone that are the same. */
const MAX_COMPARED = 2000

/** Problems of an intent's lines by their ids. */
export const problemsOf = (intent: Intent, index: StatementIndex, confused = NONE): ReadonlyMap<string, Problem> => {
  const found = new Map<string, Problem>()
  const places = new Map(intent.statements.map(({ id }, at) => [id, at + 1]))
  for (const { id, text } of intent.statements) {
    const plain = parseStatement(text).text
    const same = index.same(plain)
    const first = same.find(line => line.intent === intent.id)
    const other = same.find(line => line.intent !== intent.id)
    const near = intent.statements.length > MAX_COMPARED ? other : (other ?? index.near(plain, intent.id))
    if (first !== undefined && first.id !== id) found.set(id, { kind: 'duplicate', of: places.get(first.id) ?? 1 })
    else if (near !== undefined) found.set(id, { kind: 'conflict', with: near })
    else {
      const taken = confused.get(id)
      if (taken !== undefined) found.set(id, { kind: 'confused', with: taken })
    }
  }
  return found
}

/** Results of the newest model's training per intent of a project. */
export interface LastTraining {
  /** From 0 to 1, by the name of an intent. */
  readonly f1: ReadonlyMap<string, number>
  confused(intent: Intent): ConfusedLines
  /** Notes that a line stays where it is; absent where that is not the person's to say. */
  readonly keep?: (line: string, as: string) => void
}

const confusedIn = (
  evaluation: Evaluation | undefined,
  intents: readonly Intent[],
  reviewed: ReadonlySet<string>,
  { name, statements }: Intent,
): ConfusedLines => {
  const byName = new Map(intents.map(intent => [intent.name, intent.id]))
  const texts = new Map(statements.map(({ id, text }) => [id, text]))
  return new Map(
    (evaluation?.wrong ?? []).flatMap(({ id, text, intent, found, confidence }) => {
      const other = byName.get(found)
      const isOpen = intent === name && texts.get(id) === text && !reviewed.has(`${id}\n${found}`)
      return isOpen && other !== undefined ? [[id, { intent: other, name: found, score: confidence }] as const] : []
    }),
  )
}

export const useLastTraining = (
  { parent }: StatementOwner,
  project: RowOf<'nluproject' | 'brain'>,
  intents: readonly Intent[],
): LastTraining => {
  const { can } = useSession()
  const client = useQueryClient()
  const models = useModels(project)
  const [newest] = models
  const { data } = useEvaluation(parent, project.id, newest?.evaluation ? newest.id : undefined)
  const f1 = useMemo(() => new Map((data?.intents ?? []).map(score => [score.name, score.f1])), [data])
  const reviewed = useMemo(
    () => new Set(reviewedOf(project.reviewed).map(({ line, as }) => `${line}\n${as}`)),
    [project.reviewed],
  )
  const confused = useCallback(
    (intent: Intent) => confusedIn(data, intents, reviewed, intent),
    [data, intents, reviewed],
  )
  const keep = useCallback(
    (line: string, as: string) =>
      void http
        .post('/{entity}/{id}/{action}', {
          params: { entity: parent, id: project.id, action: 'reviewline' },
          body: { line, as },
        })
        .then(() => client.invalidateQueries({ queryKey: [parent, 'detail', project.id] }))
        // It stays hidden on this page; the next one asks again.
        .catch(() => undefined),
    [client, parent, project.id],
  )
  return useMemo(
    () => ({ f1, confused, ...(can(`reviewline${parent}`) ? { keep } : {}) }),
    [f1, confused, can, parent, keep],
  )
}
