import { Button, Field, Input, Stack, Text, Textarea } from '@chakra-ui/react'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MESSAGE_LOCALES } from '#schemas/api/message.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { useValidation } from '#web/entity/form/use-form-faults.ts'
import { useLabel } from '#web/entity/label.ts'
import type { ListPlace } from '#web/entity/list/use-list-state.ts'
import { useUnsaved } from '#web/form/unsaved-prompt.tsx'
import { notice } from '#web/notice/notice.ts'

interface Props {
  readonly place: ListPlace
}

const useAddCode = ({ entity, fixed }: ListPlace, onClose: () => void) => {
  const { t } = useTranslation('entity/localemessage')
  const { t: ts } = useTranslation('shell')
  const label = useLabel()
  const { refresh } = useEntityCommand(entity)
  const validate = useValidation(entity, undefined)
  const [name, setName] = useState({ namespace: '', code: '' })
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  /** Texts that were made before another one was refused. */
  const made = useRef(new Set<string>())
  const given = Object.entries(texts).filter(([, text]) => text.trim() !== '')
  const bodyOf = (locale: string, message: string) => ({
    ...fixed,
    locale,
    namespace: name.namespace.trim() === '' ? null : name.namespace,
    code: name.code,
    message,
  })

  const create = async () => {
    for (const [locale, message] of given) {
      if (made.current.has(locale)) continue
      const body = bodyOf(locale, message)
      const tell = (found: string) => `${label.option('localemessage', 'locale', locale)}: ${found}`
      const [wrong] = await validate(body, body)
      if (wrong !== undefined) return tell(`${label.field('localemessage', wrong.path)}: ${wrong.message}`)
      try {
        await http.post('/{entity}', { params: { entity: entity.name }, body })
        made.current.add(locale)
      } catch (error) {
        const isAnswered = isProblem(error) && error.code !== 'network'
        return tell(isAnswered ? (error.errors[0]?.message ?? error.message) : ts('error.noanswer'))
      }
    }
    return undefined
  }

  const save = async () => {
    if (given.length === 0) return setFault(t('matrix.notext'))
    setBusy(true)
    const refused = await create()
    await refresh()
    setBusy(false)
    setFault(refused)
    if (refused !== undefined) return
    notice.snack(ts('created'), { tone: 'positive' })
    onClose()
  }
  return { name, setName, texts, setTexts, fault, isBusy, isDirty: given.length > 0 || name.code !== '', save }
}

const AddDialog = ({ place, onClose }: Props & { onClose(): void }) => {
  const { t } = useTranslation('entity/localemessage')
  const { t: ts } = useTranslation('shell')
  const label = useLabel()
  const { name, setName, texts, setTexts, fault, isBusy, isDirty, save } = useAddCode(place, onClose)
  useUnsaved(isDirty)
  return (
    <Modal
      width={560}
      title={t('matrix.add')}
      onClose={() => (isBusy ? undefined : onClose())}
      footer={
        <>
          <Button variant="ghost" disabled={isBusy} onClick={onClose}>
            {ts('cancel')}
          </Button>
          <Button variant="solid" loading={isBusy} disabled={name.code.trim() === ''} onClick={() => void save()}>
            {ts('form.create')}
          </Button>
        </>
      }
    >
      <Stack gap="3" mt="2">
        <Field.Root required>
          <Field.Label>{label.field('localemessage', 'code')}</Field.Label>
          <Input
            data-autofocus
            fontFamily="mono"
            value={name.code}
            onChange={event => setName({ ...name, code: event.target.value })}
          />
        </Field.Root>
        <Field.Root>
          <Field.Label>{label.field('localemessage', 'namespace')}</Field.Label>
          <Input value={name.namespace} onChange={event => setName({ ...name, namespace: event.target.value })} />
        </Field.Root>
        {MESSAGE_LOCALES.map(locale => (
          <Field.Root key={locale}>
            <Field.Label>{label.option('localemessage', 'locale', locale)}</Field.Label>
            <Textarea
              rows={2}
              value={texts[locale] ?? ''}
              onChange={event => setTexts({ ...texts, [locale]: event.target.value })}
            />
          </Field.Root>
        ))}
        <Text textStyle="secondary" color="fg.muted">
          {t('matrix.addhint')}
        </Text>
        {fault === undefined ? null : <ErrorLine text={fault} />}
      </Stack>
    </Modal>
  )
}

/** Begins a code with its texts in all languages. */
export const AddCode = ({ place }: Props) => {
  const { t } = useTranslation('entity/localemessage')
  const { can } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!can(`create${place.entity.name}`)) return null
  return (
    <>
      <Button variant="solid" onClick={() => setOpen(true)}>
        <Plus size={16} aria-hidden="true" />
        {t('matrix.add')}
      </Button>
      {isOpen ? <AddDialog place={place} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
