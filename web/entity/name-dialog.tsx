import { Button, Field, Input, Stack, Textarea } from '@chakra-ui/react'
import { type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { freeName } from '#domain/free-name.ts'
import { type EntityName, entityOf } from '#schemas/entities/registry.ts'
import { fieldFailureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { Modal } from '#web/components/modal.tsx'
import { submits } from '#web/components/submits.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { notice } from '#web/notice/notice.ts'
import { useGuardedNavigate } from '#web/page/use-address.ts'

interface Props {
  readonly entity: EntityName
  /** Given with what is made. */
  readonly fixed: Readonly<Record<string, string>>
  /** Renames this one instead of making one. */
  readonly row?: Row
  /** Makes a copy of this one, under a name that none of these has. */
  readonly copied?: { readonly row: Row; readonly names: readonly string[] }
  /** Address to open after creation. */
  readonly openAt?: (id: string) => string
  onClose(): void
}

type Body = {
  readonly name: string
  readonly description: string | null
}

const copyOf = (entity: EntityName, id: string, name: string) =>
  http.post('/{entity}/{id}/{action}', { params: { entity, id, action: 'duplicate' }, body: { name } })

/** Creates, copies or renames; after a refusal the name is selected again. */
const useSubmit = (props: Props, body: Body, field: RefObject<HTMLInputElement | null>) => {
  const { entity, fixed, row, copied, openAt, onClose } = props
  const { t } = useTranslation('shell')
  const goOn = useGuardedNavigate()
  const { refresh } = useEntityCommand(entityOf(entity))
  const { t: words } = useTranslation('designer')
  const isFlow = entity === 'dialog' || entity === 'handler'
  const renaming = row !== undefined && isFlow ? words(`failure.rename.${entity}`) : undefined
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const id = copied
        ? String((await copyOf(entity, copied.row.id, body.name)).id)
        : row === undefined
          ? (await http.post('/{entity}', { params: { entity }, body: { ...fixed, ...body } })).id
          : row.id
      if (row !== undefined)
        await http.patch('/{entity}/{id}', { params: { entity, id: row.id }, body, revision: row.revision })
      await refresh()
      notice.snack(t(row === undefined ? 'created' : 'saved'), { tone: 'positive' })
      onClose()
      if (row === undefined && openAt) await goOn(openAt(id))
    } catch (failure) {
      setError(fieldFailureOf(failure, renaming ?? t('error.noanswer')))
      setBusy(false)
      field.current?.focus()
      field.current?.select()
    }
  }
  return { busy, error, submit }
}

interface DescriptionProps {
  readonly entity: EntityName
  readonly value: string
  onChange(value: string): void
}

const Description = ({ entity, value, onChange }: DescriptionProps) => {
  const label = useLabel()
  return (
    <Field.Root>
      <Field.Label>{label.field(entity, 'description')}</Field.Label>
      <Textarea rows={2} maxLength={2000} value={value} onChange={event => onChange(event.target.value)} />
    </Field.Root>
  )
}

/** Name and description: enough to make, copy or rename a task, a dialog or a handler in place. */
export const NameDialog = (props: Props) => {
  const { entity, row, copied, onClose } = props
  const { t } = useTranslation('shell')
  const label = useLabel()
  const [name, setName] = useState(() =>
    copied ? freeName(String(copied.row.name), copied.names) : String(row?.name ?? ''),
  )
  const [description, setDescription] = useState(String(row?.description ?? ''))
  const field = useRef<HTMLInputElement>(null)
  const kind = inSentence(label.name(entity))
  const values = { name, description: description === '' ? null : description }
  const { busy, error, submit } = useSubmit(props, values, field)
  return (
    <Modal
      title={
        copied
          ? t('actiontitle', { action: label.action(entity, 'duplicate'), name: String(copied.row.name) })
          : t(row ? 'rename' : 'new', { name: kind })
      }
      onClose={onClose}
      actions={
        <Button variant="solid" loading={busy} disabled={name.trim() === ''} onClick={() => void submit()}>
          {t(row === undefined ? 'form.create' : 'form.save')}
        </Button>
      }
    >
      <form onSubmit={submits(submit)}>
        <Stack gap="4" pt="2">
          <Field.Root invalid={error !== undefined}>
            <Field.Label>{label.field(entity, 'name')}</Field.Label>
            <Input
              ref={field}
              data-autofocus=""
              maxLength={200}
              value={name}
              onChange={event => setName(event.target.value)}
            />
            <Field.ErrorText>{error}</Field.ErrorText>
          </Field.Root>
          {copied ? null : <Description entity={entity} value={description} onChange={setDescription} />}
        </Stack>
      </form>
    </Modal>
  )
}
