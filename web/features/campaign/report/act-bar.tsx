import { Button, HStack } from '@chakra-ui/react'
import { Eye, ListChecks } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { MenuAction } from '#web/components/action-menu.tsx'
import { Modal } from '#web/components/modal.tsx'
import { useBottomInset } from '#web/notice/notice.ts'
import { MessagePreview } from './side-cards.tsx'

interface Props {
  readonly template: string
  readonly first: MenuAction | undefined
  /** Address of the review, for a campaign that was never sent. */
  readonly review: string | undefined
}

const Wide = ({ children }: { readonly children: ReactNode }) => (
  <HStack gap="2.5" w="100%" css={{ '& > *': { flex: '1 1 0', minH: '11', minW: 0 } }}>
    {children}
  </HStack>
)

/** On a phone, stays at the bottom: the message, and the most likely act. */
export const ActBar = ({ template, first, review }: Props) => {
  const { t } = useTranslation('campaign')
  const bar = useBottomInset()
  const [isShown, setShown] = useState(false)
  return (
    <HStack
      ref={bar}
      as="section"
      aria-label={t('report.acts')}
      flex="none"
      px="3"
      py="2.5"
      bg="bg.surface"
      borderTopWidth="1px"
    >
      <Wide>
        <Button variant="outline" onClick={() => setShown(true)}>
          <Eye size={15} aria-hidden="true" />
          {t('report.seemessage')}
        </Button>
        {review === undefined ? null : (
          <Button asChild variant="solid">
            <Link to={review}>
              <ListChecks size={15} aria-hidden="true" />
              {t('report.review')}
            </Link>
          </Button>
        )}
        {first === undefined ? null : (
          <Button variant="solid" onClick={first.run}>
            {first.icon === undefined ? null : <first.icon size={15} aria-hidden="true" />}
            {first.label}
          </Button>
        )}
      </Wide>
      <Modal open={isShown} onClose={() => setShown(false)} title={t('report.message')}>
        <MessagePreview id={template} />
      </Modal>
    </HStack>
  )
}
