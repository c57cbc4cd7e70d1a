import { Box, Field, Input, Stack, Text } from '@chakra-ui/react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { Modal } from '#web/components/modal.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { ReferencePicker } from '#web/form/control/reference-picker.tsx'
import { notice } from '#web/notice/notice.ts'
import type { Level } from '#web/shell/level.ts'
import { LevelTree } from '#web/shell/level-tree.tsx'
import { DialogButtons } from './dialog-buttons.tsx'

interface Props {
  readonly parent: string
  readonly levels: readonly Level[]
  onClose(): void
}

const NOTHING_WITHIN = {}

const useNewLevel = ({ parent, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const { refresh } = useEntityCommand(hierarchy)
  const [name, setName] = useState('')
  const [under, setUnder] = useState(parent)
  const [usergroup, setUsergroup] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isReady = name.trim() !== '' && under !== ''
  const create = async () => {
    if (busy || !isReady) return
    setBusy(true)
    try {
      const body = { name, parent: under, ...(usergroup === null ? {} : { usergroup }) }
      await http.post('/{entity}', { params: { entity: hierarchy.name }, body })
      await refresh()
      notice.snack(t('created'), { tone: 'positive' })
      onClose()
    } catch (failure) {
      setError(isProblem(failure) ? (failure.errors[0]?.message ?? failure.message) : t('error.noanswer'))
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  const type = (typed: string) => {
    setName(typed)
    setError(undefined)
  }
  return { name, type, under, setUnder, usergroup, setUsergroup, error, busy, field, isReady, create }
}

const GroupField = ({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) => {
  const { t } = useTranslation('shell')
  const id = useId()
  return (
    <Field.Root ids={{ control: id }}>
      <Field.Label htmlFor={id}>{t('level.group')}</Field.Label>
      <ReferencePicker
        id={id}
        to="usergroup"
        within={NOTHING_WITHIN}
        disabled={false}
        invalid={false}
        required={false}
        value={value}
        onChange={onChange}
      />
    </Field.Root>
  )
}

/** Name, place and user group of a new level. Enter creates it, wherever in the dialog. */
export const NewLevelDialog = (props: Props) => {
  const { levels, onClose } = props
  const { t } = useTranslation('shell')
  const form = useId()
  const state = useNewLevel(props)
  return (
    <Modal
      open
      title={t('level.new')}
      onClose={onClose}
      footer={<DialogButtons form={form} verb={t('form.create')} {...state} onClose={onClose} />}
    >
      <form
        id={form}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void state.create()
        }}
      >
        <Stack gap="4" pt="2">
          <Field.Root invalid={state.error !== undefined}>
            <Field.Label>{t('level.name')}</Field.Label>
            <Input
              ref={state.field}
              data-autofocus=""
              autoComplete="off"
              value={state.name}
              onChange={event => state.type(event.target.value)}
            />
            <Field.ErrorText>{state.error}</Field.ErrorText>
          </Field.Root>
          <Box>
            <Text textStyle="label" color="fg.muted" mb="1.5">
              {t('level.under')}
            </Text>
            <LevelTree levels={levels} chosen={state.under} label={t('level.under')} onChoose={state.setUnder} />
          </Box>
          <GroupField value={state.usergroup} onChange={state.setUsergroup} />
        </Stack>
      </form>
    </Modal>
  )
}
