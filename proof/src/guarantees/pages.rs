//! The screens of `assets/guarantees.toml` as pages. Everything that a contact or a key does is told to the site.

/// Tells the site of every input that reaches the page, and of contacts by the element's id.
const TELLS: &str = "<script>
for (const type of ['pointerdown','touchstart','keydown','beforeinput','change']) addEventListener(type, () => hit('landed'), true);
addEventListener('pointerdown', (e) => hit('down-' + e.target.id), true);
</script><style>body{margin:0}button,input{display:block;width:200px;height:44px;margin:8px}</style>";

const SAFE: &str = "<button id=safe>Safe</button>";

/// The page of a screen.
pub fn page(screen: &str) -> String {
    let rest = match screen {
        "plain" => {
            "<button id=other>Other</button><input id=name aria-label=Name>\
             <input id=digits aria-label=Digits oninput=\"this.value=this.value.replace(/[^0-9]/g,'')\">\
             <button id=asks onclick=\"alert('Sure?')\">Asks</button><a id=leave href=/other>Leave</a>\
             <input type=file id=file aria-label=File onchange=\"chosen.textContent += ' ' + this.files[0].name\">\
             <p id=chosen>chosen</p>"
        }
        "list" => "<div style='height:4000px'>Rows</div><p>The end</p>",
        "twins" => {
            "<button>Twin</button><button>Twin</button><input aria-label='Twin field'><input aria-label='Twin field'>\
             <input type=file aria-label='Twin file'><input type=file aria-label='Twin file'>"
        }
        "renames" => {
            "<button id=bad>Archive</button>\
             <button id=change onclick=\"document.getElementById('bad').textContent='Delete'\">Change</button>"
        }
        "covered" => {
            "<button id=bad style='position:absolute;top:300px'>Bad</button>\
             <input id=bad-field aria-label='Bad field' style='position:absolute;top:380px'>\
             <div role=region aria-label=Banner style='position:fixed;top:280px;left:0;right:0;height:260px;background:#ddd'>Over</div>"
        }
        "tiled" => {
            "<div id=bad role=listitem aria-label=Bad tabindex=0 onclick=\"hit('tiles')\" style='display:flex;width:300px;height:48px'>\
             <button id=one style='margin:0;width:150px;height:48px'>One</button>\
             <button id=two style='margin:0;width:150px;height:48px'>Two</button></div>"
        }
        "away" => {
            "<button id=bad style='position:absolute;left:-500px;top:140px;width:80px'>Bad</button>\
             <input id=bad-field aria-label='Bad field' style='position:absolute;left:-500px;top:240px;width:80px'>"
        }
        "off" => "<button id=bad disabled>Bad</button><input id=bad-field aria-label='Bad field' disabled>",
        "ghost" => "<div id=bad role=button aria-label=Bad tabindex=0 style='width:0;height:0'></div>",
        "late" => {
            "<button id=brings onclick=\"setTimeout(() => {const b = document.createElement('button'); b.id = 'late'; \
             b.textContent = 'Late'; document.body.append(b)}, 600)\">Brings</button>"
        }
        other => panic!("there is no page for the screen {other:?}"),
    };
    format!("{TELLS}{SAFE}{rest}")
}
