use unriddle_core::*; use unriddle_puzzles::tiles::*; use unriddle_search::idastar::IdaStar;
fn main(){
 let a:Vec<String>=std::env::args().collect();
 let f=std::fs::read_to_string(&a[1]).unwrap(); let conv=if a[2]=="f"{Goal::BlankFirst}else{Goal::BlankLast};
 let refs:Vec<i64>=std::fs::read_to_string(a[1].replace(".txt",".ref.csv")).unwrap().lines().skip(1).map(|l|l.split(',').nth(1).unwrap().parse().unwrap()).collect();
 let cache=unriddle_tables::Cache::new(Some("/tmp/ucache".into()),2,Default::default());
 let part=Partition::parse(4,&a[3]).unwrap();
 let h=Pdb::<Board4,3>::new(&part,&cache); let h2=if part.patterns().len()==2 {Some(Pdb::<Board4,2>::new(&part,&cache).unwrap())}else{None};
 let mut tot=0u64; let mut gn=0; let t=std::time::Instant::now(); let mut n=0; let mut bad=0;
 for (l,r) in f.lines().filter(|l|!l.starts_with('#')).zip(&refs){
  let c:Vec<u8>=l.split(':').nth(1).unwrap().split_whitespace().map(|x|x.parse().unwrap()).collect();
  let p=Tiles::<Board4>::new(&c,conv); 
  let (o,st)= if let Some(h)=&h2 {let mut s=IdaStar::new(&p,h).unwrap(); (run(&mut s,&Budget::default(),&mut ()).unwrap(),s.stats())} else {let mut s=IdaStar::new(&p,h.as_ref().unwrap()).unwrap(); (run(&mut s,&Budget::default(),&mut ()).unwrap(),s.stats())};
  tot+=st.expanded; gn+=st.generated; n+=1; if o.bound()!=Some(*r){bad+=1}
 }
 let e=t.elapsed().as_secs_f64(); println!("{n} bad {bad} total {e:.3}s exp {tot} gn {} mean gen {} {:.1} M gen/s", gn,gn/n, gn as f64/e/1e6);
}
