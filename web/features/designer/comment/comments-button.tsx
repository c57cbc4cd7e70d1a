import { Button, chakra } from '@chakra-ui/react'
import { MessageSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Hint } from '#web/components/hint.tsx'
import { useMode } from '../mode/mode-context.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'

/** Opens the flow's comments; shows the number of open threads. */
export const CommentsButton = () => {
  const { t } = useTranslation('designer')
  const { canvas } = useDesigner()
  const { sheet, send } = useMode()
  const count = useStoreValue(canvas.threads, threads => [...threads.values()].reduce((sum, one) => sum + one, 0))
  return (
    <Hint text={t('bar.comments')} keys="C">
      <Button
        variant="ghost"
        px="2"
        gap="1.5"
        aria-label={count === 0 ? t('bar.comments') : t('bar.openComments', { count })}
        aria-expanded={sheet === 'comments'}
        onClick={() => send({ type: sheet === 'comments' ? 'CLOSE' : 'COMMENTS' })}
      >
        <MessageSquare size={17} strokeWidth={1.75} aria-hidden />
        {count === 0 ? null : <chakra.span fontSize="sm">{count}</chakra.span>}
      </Button>
    </Hint>
  )
}
