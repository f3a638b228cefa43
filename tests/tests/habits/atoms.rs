//! Which names do the tests, the program and the server share? Atoms of ICCCM, EWMH and XDND.

x11rb::atom_manager! {
    pub Atoms: AtomsCookie {
        _NET_ACTIVE_WINDOW,
        _NET_SUPPORTED,
        _NET_SUPPORTING_WM_CHECK,
        _NET_WM_NAME,
        _NET_WM_STATE,
        _NET_WM_STATE_FULLSCREEN,
        CLIPBOARD,
        COPIED,
        URI_LIST: b"text/uri-list",
        UTF8_STRING,
        WM_DELETE_WINDOW,
        WM_PROTOCOLS,
        WM_STATE,
        XdndActionCopy,
        XdndDrop,
        XdndEnter,
        XdndFinished,
        XdndPosition,
        XdndSelection,
        XdndStatus,
    }
}
