import { Button, chakra } from '@chakra-ui/react'
import { MessageSquare } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useMode } from '../mode/mode-context.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'

/** Footer of a block's tooltip: its open comments, or a link to add one. */
export const ThreadLink = memo(({ block }: { readonly block: string }) => {
  const { t } = useTranslation('designer')
  const { canvas } = useDesigner()
  const { send } = useMode()
  const count = useStoreValue(canvas.threads, threads => threads.get(block) ?? 0)
  return (
    <chakra.div flex="none" borderTopWidth="1px" px="1.5">
      <Button
        variant="ghost"
        size="xs"
        w="100%"
        justifyContent="flex-start"
        minH={{ base: '44px', md: '36px' }}
        fontWeight={count > 0 ? 'semibold' : 'normal'}
        color={count > 0 ? 'fg' : 'fg.muted'}
        onClick={() => send({ type: 'COMMENTS' })}
      >
        <MessageSquare size={15} aria-hidden />
        {count === 0 ? t('inspector.comment') : t('inspector.openComments', { count })}
      </Button>
    </chakra.div>
  )
})
