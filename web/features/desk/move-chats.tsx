import { Button, HStack, NativeSelect, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'

interface MoveChatsProps {
  readonly from: string
  readonly queues: readonly { readonly id: string; readonly name: string }[]
  readonly onMoved: () => void
}

/** Gives the open chats of a queue to another one, so that it can be removed. */
export const MoveChats = ({ from, queues, onMoved }: MoveChatsProps) => {
  const { t } = useTranslation('desk')
  const client = useQueryClient()
  const others = queues.filter(({ id }) => id !== from)
  const [to, setTo] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState('')
  if (others.length === 0)
    return (
      <Text textStyle="dense" mt="2">
        {t('queues.moveto.none')}
      </Text>
    )
  const move = async () => {
    setBusy(true)
    setRefused('')
    try {
      await http.post('/deskqueue/{id}/move', { params: { id: from }, body: { to } })
      await client.invalidateQueries({ queryKey: ['desk'] })
      onMoved()
    } catch (failure) {
      setRefused(failureOf(failure, t('failed')))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Text textStyle="dense" mt="1" color="fg">
        {t('queues.moveto.text')}
      </Text>
      <HStack gap="2" mt="2" flexWrap="wrap">
        <NativeSelect.Root flex="1 1 180px" w="auto">
          <NativeSelect.Field
            color="fg"
            aria-label={t('queues.moveto.label')}
            value={to}
            onChange={event => setTo(event.target.value)}
          >
            <option value="">{t('queues.moveto.label')}</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
        <Button disabled={to === ''} loading={busy} onClick={() => void move()}>
          <ArrowRightLeft size={14} aria-hidden="true" />
          {t('queues.moveto.do')}
        </Button>
      </HStack>
      {refused === '' ? null : (
        <Text role="alert" mt="1.5" textStyle="secondary" color="danger.fg">
          {refused}
        </Text>
      )}
    </>
  )
}
