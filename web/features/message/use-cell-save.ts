import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { isProblem } from '#web/api/problem.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row, Value } from '#web/entity/entity-query.ts'
import { useValidation } from '#web/entity/form/use-validation.ts'
import type { ListPlace } from '#web/entity/list/use-list-place.ts'
import { notice } from '#web/notice/notice.ts'
import type { MatrixCell, MatrixRow } from './matrix-query.ts'

interface Options {
  readonly place: ListPlace
  readonly row: MatrixRow
  readonly locale: string
  readonly cell: MatrixCell
  onDone(): void
}

interface Draft {
  readonly message: string
  readonly enabled: boolean
}

/** What somebody else saved while the text was edited. */
interface Meanwhile {
  readonly before: string
  readonly theirs: string
}

const draftOf = (own: MatrixCell['own']): Draft => ({ message: own?.message ?? '', enabled: own?.enabled ?? true })

/** One text while it is edited: what differs is saved on the revision that the edit is based on. */
export const useCellSave = ({ place: { entity, fixed }, row, locale, cell, onDone }: Options) => {
  const { t } = useTranslation('shell')
  const { refresh, remove, failed } = useEntityCommand(entity)
  const [base, setBase] = useState(cell.own)
  const [draft, setDraft] = useState(() => draftOf(cell.own))
  const [meanwhile, setMeanwhile] = useState<Meanwhile>()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const key = useRef(crypto.randomUUID())
  const { namespace, code } = row
  const stored = base === null ? undefined : { ...fixed, locale, namespace, code, ...base }
  const validate = useValidation(entity, stored as unknown as Row | undefined)
  const saved = draftOf(base)
  const isDirty = draft.message !== saved.message || (base !== null && draft.enabled !== saved.enabled)

  // Somebody else made the message while it was missing here.
  useEffect(() => {
    if (base !== null || cell.own === null || isBusy) return
    setBase(cell.own)
    setMeanwhile({ before: '', theirs: cell.own.message })
  }, [base, cell.own, isBusy])

  const message = draft.message === '' ? null : draft.message
  const bodyOf = (): Readonly<Record<string, Value>> =>
    base === null
      ? { ...fixed, locale, namespace, code, message, enabled: draft.enabled }
      : {
          ...(draft.message === saved.message ? {} : { message }),
          ...(draft.enabled === saved.enabled ? {} : { enabled: draft.enabled }),
        }

  const send = (body: Readonly<Record<string, Value>>) =>
    base === null
      ? http.post('/{entity}', { params: { entity: entity.name }, body, key: key.current })
      : http.patch('/{entity}/{id}', { params: { entity: entity.name, id: base.id }, body, revision: base.revision })

  /** The same text was changed by somebody else: it is shown, and the next save is based on it. */
  const meet = async (id: string, before: string) => {
    const newest = await http.get('/{entity}/{id}', { params: { entity: entity.name, id } })
    const theirs = String(newest.message)
    setBase({ id, revision: newest.revision, message: theirs, enabled: newest.enabled === true })
    setMeanwhile({ before, theirs })
  }

  const fail = async (error: unknown) => {
    if (!isProblem(error) || error.code === 'network') return setFault(t('error.noanswer'))
    if (error.code === 'entity.conflict' && base !== null) return meet(base.id, base.message)
    // It was made meanwhile: reading the matrix again brings it.
    if (error.code === 'entity.name.taken') await refresh()
    setFault(error.errors[0]?.message ?? error.message)
  }

  const save = async () => {
    const body = bodyOf()
    const [found] = await validate(body, body)
    if (found !== undefined) return setFault(found.message)
    setFault(undefined)
    setBusy(true)
    try {
      await send(body)
      await refresh()
      notice.snack(t(base === null ? 'created' : 'saved'), { tone: 'positive' })
      onDone()
    } catch (error) {
      key.current = crypto.randomUUID()
      await fail(error).catch(failed)
    } finally {
      setBusy(false)
    }
  }

  const takeAway = async () => {
    if (base === null) return
    setBusy(true)
    try {
      await remove(await http.get('/{entity}/{id}', { params: { entity: entity.name, id: base.id } }))
      onDone()
    } catch (error) {
      failed(error)
      setBusy(false)
    }
  }

  return {
    draft,
    base,
    meanwhile,
    fault,
    isBusy,
    isDirty,
    change: (next: Partial<Draft>) => {
      setFault(undefined)
      setDraft(before => ({ ...before, ...next }))
    },
    useTheirs: () => {
      setDraft(saved)
      setMeanwhile(undefined)
    },
    save,
    takeAway,
  }
}
