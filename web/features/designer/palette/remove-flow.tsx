import { Button, chakra, Input } from '@chakra-ui/react'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#web/api/client.ts'
import { failureOf } from '#web/api/failure.ts'
import { Modal } from '#web/components/modal.tsx'
import type { FlowEntity } from '../live/flow-names.ts'
import type { FlowKind } from '../room/flow-address.ts'

interface RemoveFlowProps {
  readonly kind: FlowKind
  readonly flow: FlowEntity
  readonly onClose: () => void
  readonly onRemoved: () => void
}

/** Removing a flow takes the word CONFIRM; its history can bring it back. */
export const RemoveFlow = ({ kind, flow, onClose, onRemoved }: RemoveFlowProps) => {
  const { t } = useTranslation('designer')
  const word = t('remove.word')
  const [typed, setTyped] = useState('')
  const [refused, setRefused] = useState<string>()
  const remove = async () => {
    if (typed !== word) return
    try {
      await api.delete(`/${kind}/${flow.id}`, { confirm: 'CONFIRM' })
      onRemoved()
    } catch (error) {
      setRefused(failureOf(error, t(`failure.remove.${kind}`)))
    }
  }
  return (
    <Modal
      open
      alert
      tone="danger"
      onClose={onClose}
      icon={<Trash2 size={18} aria-hidden />}
      title={t(kind === 'dialog' ? 'remove.dialog' : 'remove.handler', { name: flow.name })}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="solid" colorPalette="danger" disabled={typed !== word} onClick={() => void remove()}>
            {t(kind === 'dialog' ? 'remove.doDialog' : 'remove.doHandler')}
          </Button>
        </>
      }
    >
      <chakra.p fontSize="sm" color="fg.muted" mb="3">
        {t('remove.what')}
      </chakra.p>
      <chakra.label htmlFor="pl-confirm" fontSize="xs" fontWeight="semibold" color="fg.muted">
        {t('remove.type', { word })}
      </chakra.label>
      <Input
        id="pl-confirm"
        mt="1"
        fontFamily="mono"
        data-autofocus
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') void remove()
        }}
      />
      {refused === undefined ? null : (
        <chakra.p role="alert" mt="2" fontSize="xs" color="danger.fg">
          {refused}
        </chakra.p>
      )}
    </Modal>
  )
}
