import { Button, chakra } from '@chakra-ui/react'
import { Check, CircleAlert, LoaderCircle, X } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../commands/commands.ts'
import { useStoreValue } from '../model/store.ts'
import { type Notice, useDesigner } from '../session/designer.ts'

const SHOWN = 2500
/** Long sentences take longer to read. */
const PER_CHARACTER = 45
/** Milliseconds that something to press stays at least. */
const ACTED = 8000

const Act = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }) => (
  <Button variant="plain" color="inherit" textDecoration="underline" size="xs" flex="none" onClick={onClick}>
    {label}
  </Button>
)

const ICONS = { done: Check, busy: LoaderCircle, failed: CircleAlert } as const

/** The notice that is shown; it goes after a time that grows with its text. */
const useNotice = () => {
  const { notice } = useDesigner()
  const shown = useStoreValue(notice)
  useEffect(() => {
    if (shown === undefined || shown.stays === true) return
    const timer = setTimeout(
      () => notice.set(undefined),
      Math.max(shown.action === undefined ? SHOWN : ACTED, shown.text.length * PER_CHARACTER),
    )
    return () => clearTimeout(timer)
  }, [shown, notice])
  return shown
}

/** Actions of a notice: its own, undo, and close. */
const Acts = ({ shown }: { readonly shown: Notice }) => {
  const { t } = useTranslation('designer')
  const { notice } = useDesigner()
  const commands = useCommands()
  return (
    <>
      {[shown.action, shown.other].map(act =>
        act === undefined ? null : (
          <Act
            key={act.label}
            label={act.label}
            onClick={() => {
              notice.set(undefined)
              act.run()
            }}
          />
        ),
      )}
      {shown.undo ? <Act label={t('tool.undo')} onClick={commands.undo} /> : null}
      {shown.stays ? (
        <Button
          variant="plain"
          color="inherit"
          size="xs"
          px="1"
          aria-label={t('close')}
          onClick={() => notice.set(undefined)}
        >
          <X size={16} aria-hidden />
        </Button>
      ) : null}
    </>
  )
}

/** The snackbar, and the polite live region that tells it to those who do not see it. */
export const Notices = () => {
  const { said } = useDesigner()
  const shown = useNotice()
  const spoken = useStoreValue(said)
  const tone = shown?.tone ?? 'done'
  const Icon = ICONS[tone]
  return (
    <>
      <chakra.div className="pl-said" role="status" aria-live="polite">
        {spoken}
      </chakra.div>
      {shown === undefined ? null : (
        <chakra.div
          position="absolute"
          bottom="16"
          left="50%"
          translate="-50% 0"
          zIndex="toast"
          display="flex"
          alignItems="center"
          gap="3"
          w="max-content"
          maxW="min(560px, 100% - 24px)"
          px="4"
          minH="9"
          py="2"
          bg="bg.inverted"
          color="fg.inverted"
          borderRadius="lg"
          boxShadow="overlay"
          fontSize="sm"
        >
          <Icon
            size={16}
            aria-hidden
            style={{ flex: 'none' }}
            {...(tone === 'busy' ? { className: 'pl-turning' } : {})}
          />
          {shown.text}
          <Acts shown={shown} />
        </chakra.div>
      )}
    </>
  )
}
