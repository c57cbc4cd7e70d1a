import { Button, Field, HStack, type StackProps, Textarea } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DESK_LIMITS } from '#schemas/api/desk.ts'
import { http } from '#web/api/http.ts'
import { ActPanel } from '#web/components/act-panel.tsx'
import { minuteOf } from '#web/format/time.ts'

interface AskProps {
  readonly conversation: string
  readonly title: string
  /** Among facts, not alone on a page. */
  readonly isSmall?: boolean
}

/** Opens for an hour what is hidden of a conversation, for a reason. */
export const AskToSee = ({ conversation, title, isSmall = false }: AskProps) => {
  const { t } = useTranslation('desk')
  const client = useQueryClient()
  const button = useRef<HTMLButtonElement>(null)
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const ask = async () => {
    const body = { reason: reason.trim() }
    await http.post('/conversation/{id}/reveal', { params: { id: conversation }, body })
    await Promise.all(['desk', 'conversation'].map(key => client.invalidateQueries({ queryKey: [key] })))
  }
  return (
    <>
      <Button
        ref={button}
        {...(isSmall ? { size: 'xs', variant: 'plain', color: 'accent.fg', px: '0', h: '5' } : {})}
        minH={{ base: '11', md: isSmall ? '5' : '8' }}
        onClick={() => setAsking(true)}
      >
        <Eye size={14} aria-hidden="true" />
        {t('ask.do')}
      </Button>
      {isAsking ? (
        <ActPanel
          anchor={button.current}
          title={title}
          action={t('ask.do')}
          icon={<Eye size={15} aria-hidden="true" />}
          isReady={reason.trim().length >= 3}
          onAct={ask}
          onClose={() => setAsking(false)}
        >
          <Field.Root>
            <Field.Label>{t('ask.why')}</Field.Label>
            <Textarea
              autoFocus
              rows={2}
              minH="14"
              maxLength={DESK_LIMITS.reason}
              value={reason}
              onChange={event => setReason(event.target.value)}
            />
            <Field.HelperText fontWeight="normal">{t('ask.whyhint')}</Field.HelperText>
          </Field.Root>
        </ActPanel>
      ) : null}
    </>
  )
}

/** Until when the caller sees what they asked to see; nothing where they did not. */
export const AskedUntil = ({ revealed, ...props }: StackProps & { readonly revealed: string | null }) => {
  const { t } = useTranslation('desk')
  if (revealed === null) return null
  return (
    <HStack gap="1.5" textStyle="secondary" color="fg.muted" {...props}>
      <Eye size={13} aria-hidden="true" />
      {t('ask.until', { time: minuteOf(revealed) })}
    </HStack>
  )
}
